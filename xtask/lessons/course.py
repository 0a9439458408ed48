"""The course as data: reads `lessons.toml`, gives every cue its time, writes captions, chapters and the index.

Knows nothing of browsers and encoders.
"""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("zh-CN", "en")
FRAME_RATE = 25
FRAME_MS = 1000 // FRAME_RATE
# Between two cues, so that a reader sees that the text has changed.
CUE_GAP_MS = 2 * FRAME_MS
# A cue stays for as long as the slower of its two languages takes to read.
CHINESE_PER_SECOND, ENGLISH_PER_SECOND, SETTLING_SECONDS = 5.0, 17.0, 0.7
SHORTEST_CUE, LONGEST_CUE = 2.6, 6.0
# What fits on one line of captions at the players' usual size.
CHINESE_LINE, ENGLISH_LINE = 30, 44


class CourseError(Exception):
    """The course file breaks a rule; the message says where and which."""


@dataclass
class Cue:
    """A caption in both languages."""
    texts: dict[str, str]
    start_ms: int
    end_ms: int


@dataclass
class Slide:
    """What is drawn, and the cues during which it stands. A slide without markup is the lesson's cover."""
    html: str
    cues: list[Cue]


@dataclass
class Chapter:
    title: dict[str, str]
    slides: list[Slide]

    @property
    def start_ms(self) -> int:
        return self.slides[0].cues[0].start_ms


@dataclass
class Lesson:
    number: int
    title: dict[str, str]
    summary: dict[str, str]
    chapters: list[Chapter]

    @property
    def cues(self) -> list[Cue]:
        return [cue for chapter in self.chapters for slide in chapter.slides for cue in slide.cues]

    @property
    def end_ms(self) -> int:
        return self.cues[-1].end_ms


def load(path: Path) -> list[Lesson]:
    """Reads the course. Raises `CourseError` for a text that is missing or too long."""
    with path.open("rb") as file:
        return [_lesson(data) for data in tomllib.load(file)["lesson"]]


def _lesson(data: dict) -> Lesson:
    place = f"lesson {data.get('number', '?')}"
    clock_ms = 0
    chapters = []
    for chapter in data["chapter"]:
        slides = []
        for slide in chapter["slide"]:
            cues = []
            for entry in slide["cues"]:
                cue = _cue(entry, clock_ms, place)
                clock_ms = cue.end_ms
                cues.append(cue)
            slides.append(Slide(slide.get("html", ""), cues))
        chapters.append(Chapter(_texts(chapter["title"], place), slides))
    return Lesson(data["number"], _texts(data["title"], place), _texts(data["summary"], place), chapters)


def _texts(data: dict, place: str) -> dict[str, str]:
    if set(data) != set(LANGUAGES) or not all(data.values()):
        raise CourseError(f"{place}: expected a text in each of {', '.join(LANGUAGES)}, got {data}")
    return data


def _cue(entry: list, start_ms: int, place: str) -> Cue:
    """`[Chinese, English]`, with an optional third item: the seconds it stays, where reading time is not enough."""
    chinese, english, *seconds = entry
    width = sum(1 if ord(character) > 0x2E7F else 0.5 for character in chinese)
    if width > CHINESE_LINE or len(english) > 2 * ENGLISH_LINE:
        raise CourseError(f"{place}: this cue is too long to be read in time: {chinese} / {english}")
    needed = max(width / CHINESE_PER_SECOND, len(english) / ENGLISH_PER_SECOND) + SETTLING_SECONDS
    duration = seconds[0] if seconds else min(max(needed, SHORTEST_CUE), LONGEST_CUE)
    frames = round(duration * FRAME_RATE)
    return Cue(dict(zip(LANGUAGES, (chinese, english))), start_ms, start_ms + frames * FRAME_MS)


def write_tracks(lesson: Lesson, folder: Path) -> None:
    """Captions and chapters, one WebVTT file for each language, with the same cues in all."""
    for language in LANGUAGES:
        captions = [(f"cue-{number:02}", cue.start_ms, cue.end_ms - CUE_GAP_MS, _wrapped(cue.texts[language], language))
                    for number, cue in enumerate(lesson.cues, 1)]
        # The last one stays to the very end.
        identity, start, end, text = captions[-1]
        captions[-1] = (identity, start, end + CUE_GAP_MS, text)
        (folder / f"{lesson.number}.{language}.vtt").write_text(_vtt(captions, language), "utf-8")

        ends = [chapter.start_ms for chapter in lesson.chapters[1:]] + [lesson.end_ms]
        chapters = [(f"chapter-{number}", chapter.start_ms, end, chapter.title[language])
                    for number, (chapter, end) in enumerate(zip(lesson.chapters, ends), 1)]
        (folder / f"{lesson.number}.chapters.{language}.vtt").write_text(_vtt(chapters, language), "utf-8")


def _vtt(cues: list[tuple[str, int, int, str]], language: str) -> str:
    def clock(ms: int) -> str:
        return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}.{ms % 1000:03}"

    def escaped(text: str) -> str:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    blocks = [f"{identity}\n{clock(start)} --> {clock(end)}\n{escaped(text)}\n" for identity, start, end, text in cues]
    return "\n".join(["WEBVTT\n", *blocks])


def _wrapped(text: str, language: str) -> str:
    """English above one line is broken at the space that makes the two lines most alike; Chinese fits on one."""
    if language != "en" or len(text) <= ENGLISH_LINE:
        return text
    spaces = [place for place, character in enumerate(text) if character == " "]
    middle = min(spaces, key=lambda place: abs(place - len(text) / 2))
    return f"{text[:middle]}\n{text[middle + 1:]}"


def write_index(lessons: list[Lesson], durations: dict[int, float], folder: Path) -> None:
    """`lessons.json`: what the lesson player reads. Paths are relative to the site's base."""
    index = [{
        "number": lesson.number,
        "title": lesson.title,
        "summary": lesson.summary,
        "durationSeconds": durations[lesson.number],
        "video": f"lessons/{lesson.number}.mp4",
        "poster": f"lessons/{lesson.number}.webp",
        "captions": {language: f"lessons/{lesson.number}.{language}.vtt" for language in LANGUAGES},
        "chapters": [{"start": chapter.start_ms / 1000, "title": chapter.title} for chapter in lesson.chapters],
    } for lesson in lessons]
    (folder / "lessons.json").write_text(json.dumps(index, ensure_ascii=False, indent=2) + "\n", "utf-8")
