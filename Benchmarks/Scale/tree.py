"""Makes a tree of empty files as people and their cameras name them, the same one every time."""

import argparse
import os
import random
from pathlib import Path

WORDS = {
    "en": "invoice report photo holiday meeting notes draft final budget contract letter scan summary project plan "
    "design family garden travel recipe house school thesis backup presentation chapter analysis data result review "
    "offer order",
    "de": "Rechnung Bericht Urlaub Besprechung Entwurf Vertrag Schreiben Übersicht Prüfung Größe Jahresabschluss "
    "Einkauf Steuererklärung Müller Straße Fahrplan Anlage Angebot Lieferschein Mietvertrag",
    "ru": "отчёт договор счёт письмо фото отпуск проект план семья школа приказ справка заявление смета",
    "ja": "報告書 会議 写真 旅行 契約書 請求書 見積 家族 東京 京都 資料 議事録 計画 予算",
    "zh": "报告 会议 照片 旅行 合同 发票 家庭 北京 上海 资料 计划 预算 总结 学习",
    "ko": "보고서 회의 사진 여행 계약서 가족 서울 자료 계획 예산",
}
LANGUAGES = ["en"] * 12 + ["de"] * 4 + ["ru", "ja", "zh", "ko"]
DOCUMENTS = ["pdf"] * 5 + ["docx"] * 3 + ["xlsx"] * 2 + ["pptx", "odt", "txt", "txt", "md", "csv", "html", "zip"]
MEDIA = ["jpg"] * 6 + ["JPG"] * 3 + ["png"] * 3 + ["mp4", "heic", "mov", "mp3", "mp3", "flac"]


class Names:
    """Names of files and folders from one source of chance."""

    def __init__(self, seed: int):
        self.chance = random.Random(seed)
        syllables = [a + b for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "an", "er", "is")]
        self.rare = ["".join(self.chance.choices(syllables, k=self.chance.randint(2, 4))) for _ in range(20_000)]

    def word(self, words: list[str]) -> str:
        return self.chance.choice(words if self.chance.random() < 0.6 else self.rare)

    def date(self) -> str:
        chance = self.chance
        return f"{chance.randint(2004, 2025)}{chance.randint(1, 12):02}{chance.randint(1, 28):02}"

    def folder(self) -> str:
        words = WORDS[self.chance.choice(LANGUAGES)].split()
        return f"{self.word(words)} {self.chance.randint(1, 9999)}"

    def files(self, count: int) -> list[str]:
        """Names for one folder: a camera's, or a person's."""
        chance = self.chance
        kind = chance.random()
        words = WORDS[chance.choice(LANGUAGES)].split()
        names = []
        number = chance.randint(0, 9000)
        for index in range(count):
            if kind < 0.25:
                name = f"IMG_{self.date()}_{chance.randint(0, 235959):06}.{chance.choice(MEDIA)}"
            elif kind < 0.4:
                name = f"DSC{(number + index) % 100_000:05}.JPG"
            elif kind < 0.5:
                name = f"{index + 1:02} {self.word(words)} {self.word(words)}.mp3"
            else:
                mark = chance.choice([" ", " ", "_", "-"])
                parts = [self.word(words) for _ in range(chance.randint(1, 4))]
                if chance.random() < 0.3:
                    parts.append(chance.choice([self.date(), str(chance.randint(1, 300)), f"v{chance.randint(1, 9)}"]))
                name = f"{mark.join(parts)}.{chance.choice(DOCUMENTS)}"
            names.append(name)
        return list(dict.fromkeys(names))


def make(folder: Path, count: int, seed: int = 1) -> None:
    """Fills a folder with so many files: some forty in each folder, at most a thousand, seven levels deep."""
    names = Names(seed)
    chance = names.chance
    folders = [(folder, 0)]
    made = 0
    while made < count:
        parent, depth = folders[chance.randrange(len(folders))]
        if len(folders) > 1 and depth > 6:
            continue
        place = parent / names.folder()
        try:
            place.mkdir()
        except FileExistsError:
            continue
        folders.append((place, depth + 1))
        handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        wanted = min(count - made, 1000, 1 + int(chance.lognormvariate(3.0, 1.2)))
        for name in names.files(wanted):
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644, dir_fd=handle))
            moment = chance.randrange(1_100_000_000, 1_760_000_000) * 10**9 + chance.randrange(10**9)
            os.utime(name, ns=(moment, moment), dir_fd=handle)
            made += 1
        os.close(handle)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=100_000)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    make(arguments.folder, arguments.files)
