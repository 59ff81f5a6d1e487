internal import VitrineKit

/// What is told of a DICOM file, none of which says who the patient is.
extension DICOMFile {
    /// Tells when the picture was taken, and by what of which part of the body: both are codes of the standard, and anything
    /// else that stands in their places is left out, since names are found there, as in all text (DICOM PS3.15, table E.1-1).
    func tell(_ facts: inout Facts) {
        let modality = text(.modality).flatMap { Self.modalities.contains($0) ? $0 : nil }
        let bodyPart = text(.bodyPart).flatMap { Self.bodyParts.contains($0) ? $0 : nil }
        let codes = [modality, bodyPart].compactMap(\.self)
        facts.title = codes.isEmpty ? nil : codes.joined(separator: " ")
        let date = text(.seriesDate) ?? text(.studyDate)
        facts.set(.created, date.flatMap { FactDate($0) }?.text)
    }

    /// Defined terms of the element Modality (DICOM PS3.3, C.7.3.1.1.1).
    private static let modalities = words(
        """
        AR ASMT AU BDUS BI BMD CD CF CFM CP CR CS CT DD DF DG DM DMS DOC DS DX EC ECG EEG EMG EOG EPS ES FA FID FS GM HC HD IO
        IOL IVOCT IVUS KER KO LEN LP LS MA MG MR MS NM OAM OCT OP OPM OPR OPT OPV OSS OT PA PLAN POS PR PT PX REG RESP RF RG
        RWV SEG SM SMR SR SRF ST STAIN TG US VA VF XA XC
        """)

    /// Defined terms of the element Body Part Examined (DICOM PS3.16, table L-1).
    private static let bodyParts = words(
        """
        ABDOMEN ABDOMENPELVIS ADRENAL ANKLE AORTA ARM AXILLA BACK BLADDER BRAIN BREAST BRONCHUS BUTTOCK CALCANEUS CALF CAROTID
        CEREBELLUM CERVIX CHEEK CHEST CHESTABDOMEN CHESTABDPELVIS CIRCLEOFWILLIS CLAVICLE COCCYX COLON CORNEA CORONARYARTERY
        CSPINE CTSPINE DUODENUM EAR ELBOW ESOPHAGUS EXTREMITY EYE EYELID FACE FEMUR FINGER FOOT FOREARM GALLBLADDER HAND HEAD
        HEADNECK HEART HIP HUMERUS IAC ILEUM ILIUM JAW JEJUNUM KIDNEY KNEE LARYNX LEG LIVER LSPINE LSSPINE LUNG MANDIBLE
        MAXILLA MEDIASTINUM MOUTH NECK NECKCHEST NECKCHESTABDOMEN NECKCHESTABDPELV NOSE ORBIT OVARY PANCREAS PAROTID PATELLA
        PELVIS PENIS PHARYNX PROSTATE RECTUM RIB SCALP SCAPULA SCLERA SCROTUM SHOULDER SKULL SPINE SPLEEN SSPINE STERNUM
        STOMACH SUBMANDIBULAR TESTIS THIGH THUMB THYMUS THYROID TIBIA TLSPINE TOE TONGUE TRACHEA TSPINE UPPERARM URETER
        URETHRA UTERUS VAGINA VULVA WHOLEBODY WRIST ZYGOMA
        """)

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map { String($0) })
    }
}

extension DICOMFile.Element {
    fileprivate static let modality = Self(0x08, 0x60), bodyPart = Self(0x18, 0x15)
    fileprivate static let seriesDate = Self(0x08, 0x21), studyDate = Self(0x08, 0x20)
}
