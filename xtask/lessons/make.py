#!/usr/bin/env python3
"""Makes the lessons: videos, posters, captions, chapters and `lessons.json`, all from `lessons.toml`.

    python3 xtask/lessons/make.py                 everything, into static/lessons
    python3 xtask/lessons/make.py --only 2        one lesson
    python3 xtask/lessons/make.py --tracks        captions and chapters, without drawing
    python3 xtask/lessons/make.py --stills DIR    one picture at the end of each cue, to look at

Needs Python 3.11, Chromium, ffmpeg and the Noto CJK fonts:

    apt-get install chromium ffmpeg fonts-noto-cjk

The same course file with the same versions of these gives the same files, byte for byte.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import course
from browser import Browser, PageError

HERE = Path(__file__).resolve().parent
OUTPUT = HERE.parents[1] / "static" / "lessons"
WIDTH, HEIGHT = 1280, 720
KEYFRAME_SECONDS = 2
FONTS = ("Noto Sans CJK SC", "Noto Serif CJK SC", "Noto Sans Mono CJK SC")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="make this lesson alone")
    parser.add_argument("--tracks", action="store_true", help="write captions and chapters only")
    parser.add_argument("--stills", type=Path, metavar="DIR", help="write a PNG for each cue into DIR and no video")
    options = parser.parse_args()

    missing = missing_programs(drawing=not options.tracks)
    if missing:
        print(f"missing: {', '.join(missing)}. On Debian: apt-get install chromium ffmpeg fonts-noto-cjk", file=sys.stderr)
        return 1
    try:
        lessons = course.load(HERE / "lessons.toml")
        chosen = [lesson for lesson in lessons if options.only in (None, lesson.number)]
        if not chosen:
            raise course.CourseError(f"there is no lesson {options.only}")
        OUTPUT.mkdir(parents=True, exist_ok=True)
        for lesson in chosen:
            if options.stills:
                draw_stills(lesson, options.stills)
                continue
            if not options.tracks:
                make_video(lesson)
            course.write_tracks(lesson, OUTPUT)
        if not options.stills:
            course.write_index(lessons, {lesson.number: probe_seconds(lesson) for lesson in lessons}, OUTPUT)
    except (course.CourseError, PageError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def missing_programs(drawing: bool) -> list[str]:
    needed = ("ffmpeg", "ffprobe", "fc-list") if drawing else ("ffprobe",)
    missing = [program for program in needed if not shutil.which(program)]
    if not drawing:
        return missing
    if not chromium():
        missing.append("chromium")
    if "fc-list" not in missing:
        installed = subprocess.run(["fc-list", ":", "family"], capture_output=True, text=True, check=True).stdout
        missing += [f"the font {font}" for font in FONTS if font not in installed]
    return missing


def chromium() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def video(lesson: course.Lesson) -> Path:
    return OUTPUT / f"{lesson.number}.mp4"


@contextmanager
def stage(lesson: course.Lesson) -> Iterator[tuple[Browser, list[list[float]], list[str]]]:
    """A browser with the lesson's slides in it, the spans of time (ms) in which something moves, and what is misplaced."""
    data = {
        "number": lesson.number,
        "title": lesson.title,
        "end": lesson.end_ms,
        "chapters": [{
            "title": chapter.title,
            "slides": [{"html": slide.html, "times": [cue.start_ms for cue in slide.cues] + [slide.cues[-1].end_ms]}
                       for slide in chapter.slides],
        } for chapter in lesson.chapters],
    }
    with Browser(chromium(), HERE / "stage.html", WIDTH, HEIGHT) as browser:
        loaded = browser.evaluate(f"stage.load({json.dumps(data)})")
        yield browser, loaded["spans"], [f"lesson {lesson.number}: {problem}" for problem in loaded["problems"]]


def draw_stills(lesson: course.Lesson, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with stage(lesson) as (browser, _, problems):
        for problem in problems:
            print(problem, file=sys.stderr)
        for number, cue in enumerate(lesson.cues, 1):
            browser.evaluate(f"stage.seek({cue.end_ms - 300})")
            (folder / f"{lesson.number}-{number:02}.png").write_bytes(browser.screenshot())


def make_video(lesson: course.Lesson) -> None:
    frames = lesson.end_ms // course.FRAME_MS
    poster_frame = lesson.cues[0].end_ms * 2 // 3 // course.FRAME_MS
    with stage(lesson) as (browser, spans, problems), tempfile.TemporaryDirectory() as scratch:
        if problems:
            raise course.CourseError("\n".join(problems))
        moving = {frame for start, end in spans
                  for frame in range(int(start // course.FRAME_MS), int(end // course.FRAME_MS) + 2)}
        # Encoded beside its place, so that a run that is broken off leaves the last good video.
        encoded = Path(scratch) / "video.mp4"
        encoder = subprocess.Popen(encoder_command(encoded), stdin=subprocess.PIPE)
        picture = b""
        for frame in range(frames):
            # Where nothing moves, the last picture stands: only about a third of the frames are drawn.
            if frame == 0 or frame in moving:
                browser.evaluate(f"stage.seek({frame * course.FRAME_MS})")
                picture = browser.screenshot()
            if frame == poster_frame:
                still = Path(scratch) / "poster.png"
                still.write_bytes(picture)
                write_poster(still, OUTPUT / f"{lesson.number}.webp")
            try:
                encoder.stdin.write(picture)
            except BrokenPipeError:
                break
            if frame % 500 == 0:
                print(f"lesson {lesson.number}: {frame} of {frames} frames", file=sys.stderr)
        encoder.communicate()
        if encoder.returncode != 0:
            raise course.CourseError(f"ffmpeg could not encode lesson {lesson.number}")
        shutil.move(encoded, video(lesson))


def encoder_command(output: Path) -> list[str]:
    keyframe = str(KEYFRAME_SECONDS * course.FRAME_RATE)
    return [
        "ffmpeg", "-y", "-loglevel", "error", "-f", "image2pipe", "-framerate", str(course.FRAME_RATE), "-c:v", "png", "-i", "-",
        "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
        "-c:v", "libx264", "-preset", "slow", "-crf", "25", "-tune", "animation", "-profile:v", "high", "-level", "3.1",
        "-g", keyframe, "-keyint_min", keyframe, "-sc_threshold", "0", "-threads", "1",
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
        "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-movflags", "+faststart", str(output),
    ]


def write_poster(still: Path, output: Path) -> None:
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", str(still), "-c:v", "libwebp", "-quality", "82",
                    "-map_metadata", "-1", "-fflags", "+bitexact", str(output)], check=True)


def probe_seconds(lesson: course.Lesson) -> float:
    """How long the video is. Raises `CourseError` where that is not how long its texts take."""
    if not video(lesson).exists():
        raise course.CourseError(f"lesson {lesson.number} has no video yet: run without --tracks and --only")
    answer = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(video(lesson))],
                            capture_output=True, text=True, check=True)
    seconds = round(float(answer.stdout), 3)
    if abs(seconds * 1000 - lesson.end_ms) > course.FRAME_MS:
        raise course.CourseError(f"lesson {lesson.number}: the texts take {lesson.end_ms / 1000} s, the video {seconds} s: make it anew")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
