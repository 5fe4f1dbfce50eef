"""vl-convert loaded once: a process that draws the figures of all jobs.

Its first figure takes 0.4 s of CPU, since V8 and Vega have to start, and each further one 0.02 s; V8 has threads, so
that forks cannot share it. Figures are drawn by the same `vegalite_to_svg`, one after the other, as within one job. A
figure that was drawn before, as most were if a campaign is evaluated again, is not drawn again. Only names of clips and
gradients depend on how many figures were drawn before: a figure with one of these is drawn again by the job itself.
"""

import marshal
import os
import socket
import sys


def vegalite_to_svg(spec: dict) -> str:
    """Like the function of vl_convert, but with a ValueError for whatever that raises."""
    with socket.socket(socket.AF_UNIX) as drawer:
        drawer.connect(f"{os.environ['LOADED_JOBS']}/figures")
        drawer.sendall(marshal.dumps(spec))
        drawer.shutdown(socket.SHUT_WR)
        done, said = marshal.load(drawer.makefile("rb"))
    if not done:
        raise ValueError(said)
    if "url(#" in said:
        sys.modules.pop("vl_convert", None)  # this module stands there
        import vl_convert

        return vl_convert.vegalite_to_svg(spec)
    return said


def serve(path: str) -> None:
    """Draws what comes to the socket at this path, until the standard input ends."""
    import select
    from functools import cache

    import vl_convert

    @cache
    def drawn(spec: bytes) -> str:
        return vl_convert.vegalite_to_svg(marshal.loads(spec))

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        print(flush=True)
        while 0 not in select.select([0, server], [], [])[0]:
            asking, _ = server.accept()
            with asking:
                try:
                    answer = True, drawn(asking.makefile("rb").read())
                except ValueError as error:
                    answer = False, str(error)
                asking.sendall(marshal.dumps(answer))


if __name__ == "__main__":
    serve(sys.argv[1])
