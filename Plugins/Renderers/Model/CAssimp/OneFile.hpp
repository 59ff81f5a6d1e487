#ifndef CASSIMP_ONE_FILE_HPP
#define CASSIMP_ONE_FILE_HPP

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

/// A file system of one file: whatever else a model names is not there. The file itself is open twice at most at any time, as
/// the reader of X3D has it, so that no model includes itself.
class OneFile final : public Assimp::IOSystem {
public:
    /// bytes: not copied; they must outlive all that is opened here.
    OneFile(const void *bytes, size_t count, std::string name)
        : bytes(static_cast<const char *>(bytes)), count(count), name(std::move(name)) {}

    bool Exists(const char *asked) const override { return name == asked; }
    char getOsSeparator() const override { return '/'; }
    void Close(Assimp::IOStream *stream) override { delete stream; }

    Assimp::IOStream *Open(const char *asked, const char *mode) override {
        return open == most_open || name != asked || mode[0] != 'r' ? nullptr : new Stream(*this);
    }

private:
    class Stream final : public Assimp::IOStream {
    public:
        explicit Stream(OneFile &file) : file(file) { file.open++; }
        ~Stream() override { file.open--; }

        size_t Read(void *buffer, size_t size, size_t wanted) override {
            if (size == 0) return 0;
            const size_t items = std::min(wanted, (file.count - at) / size);
            if (items > 0) std::memcpy(buffer, file.bytes + at, items * size);
            at += items * size;
            return items;
        }

        // A negative offset comes as what wraps around.
        aiReturn Seek(size_t offset, aiOrigin origin) override {
            const size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? at : file.count;
            if (base + offset > file.count) return aiReturn_FAILURE;
            at = base + offset;
            return aiReturn_SUCCESS;
        }

        size_t Write(const void *, size_t, size_t) override { return 0; }
        size_t Tell() const override { return at; }
        size_t FileSize() const override { return file.count; }
        void Flush() override {}

    private:
        OneFile &file;
        size_t at = 0;
    };

    const char *const bytes;
    const size_t count;
    const std::string name;
    int open = 0;
    static constexpr int most_open = 2;
};

#endif
