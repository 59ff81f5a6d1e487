#ifndef CDCMTK_MEMORY_STREAM_HPP
#define CDCMTK_MEMORY_STREAM_HPP

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcerror.h>
#include <dcmtk/dcmdata/dcistrma.h>
#include <algorithm>
#include <cstdint>
#include <cstring>

/// Thrown where sequences lie too deep in one another: DCMTK calls itself for each, without a bound.
struct TooDeep {};

/// Thrown where a file unpacks to too much.
struct TooLarge {};

/// Bytes in memory as DCMTK reads them.
class MemoryProducer final : public DcmProducer {
public:
    MemoryProducer(const uint8_t *bytes, offile_off_t count, offile_off_t at)
        : bytes(bytes), count(count), at(std::min(at, count)) {}

    OFBool good() const override { return state.good(); }
    OFCondition status() const override { return state; }
    OFBool eos() override { return at >= count; }
    offile_off_t avail() override { return count - at; }

    offile_off_t read(void *buffer, offile_off_t wanted) override {
        const offile_off_t read = skip(wanted);
        if (read > 0) std::memcpy(buffer, bytes + at - read, static_cast<size_t>(read));
        return read;
    }

    offile_off_t skip(offile_off_t wanted) override {
        const offile_off_t skipped = std::max<offile_off_t>(0, std::min(wanted, count - at));
        at += skipped;
        return skipped;
    }

    void putback(offile_off_t wanted) override {
        if (wanted < 0 || wanted > at)
            state = EC_PutbackFailed;
        else
            at -= wanted;
    }

    const uint8_t *const bytes;
    const offile_off_t count;

private:
    offile_off_t at;
    OFCondition state = EC_Normal;
};

/// A stream over bytes in memory that DCMTK can come back to for large values, as it does with files: nothing is copied that is
/// not asked for. The bytes must outlive all that was read.
class MemoryStream final : public DcmInputStream {
public:
    MemoryStream(const uint8_t *bytes, offile_off_t count, offile_off_t at = 0)
        : DcmInputStream(&producer), producer(bytes, count, at), stack(here()) {}

    offile_off_t read(void *buffer, offile_off_t wanted) override {
        check(wanted);
        return DcmInputStream::read(buffer, wanted);
    }

    offile_off_t skip(offile_off_t wanted) override {
        check(wanted);
        return DcmInputStream::skip(wanted);
    }

    DcmInputStreamFactory *newFactory() const override {
        // What is unpacked while it is read cannot be come back to.
        if (is_packed()) return nullptr;
        return new Factory(producer.bytes, producer.count, tell());
    }

private:
    class Factory final : public DcmInputStreamFactory {
    public:
        Factory(const uint8_t *bytes, offile_off_t count, offile_off_t at) : bytes(bytes), count(count), at(at) {}
        DcmInputStream *create() const override { return new MemoryStream(bytes, count, at); }
        DcmInputStreamFactory *clone() const override { return new Factory(*this); }
        DcmInputStreamFactoryType ident() const override { return DFT_DcmInputFileStreamFactory; }

    private:
        const uint8_t *bytes;
        offile_off_t count;
        offile_off_t at;
    };

    static uintptr_t here() { return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)); }
    bool is_packed() const { return currentProducer() != &producer; }

    void check(offile_off_t wanted) const {
        if (std::max(stack, here()) - std::min(stack, here()) > deepest) throw TooDeep();
        if (is_packed() && (wanted > largest || tell() > largest - wanted)) throw TooLarge();
    }

    MemoryProducer producer;
    /// Where the stack was when reading began, and how many bytes of it may be in use beyond that. Threads have 8 MiB.
    const uintptr_t stack;
    static constexpr uintptr_t deepest = 1 << 20;
    /// The most bytes that a file may unpack to.
    static constexpr offile_off_t largest = 512 << 20;
};

#endif
