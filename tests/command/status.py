# RUN: PYTHONPATH=%S %python -B %s
"""Exit status and signal are the compiler's, after exec and after a link that is awaited (T23)."""
import signal

from recording import Place, equal

place = Place()
lines = (("g++", "-c", "x.c"), ("-c", "k.cu"), ("g++", "x.o", "-o", "x"), ("k.o", "-o", "x"))

for words in lines:
    for status in (1, 2, 3, 7, 126, 255):
        equal(place.call(*words, RECORD_STATUS=status).status, status, f"{words}")
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGABRT, signal.SIGINT):
        ended = place.call(*words, RECORD_SIGNAL=int(number))
        equal(ended.status, -number, f"{words}")
        equal(ended.err, "", f"{words}")
