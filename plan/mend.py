import re,sys,pathlib
R=pathlib.Path(sys.argv[1])
def ed(p,*pairs):
    f=R/p; t=f.read_text()
    for a,b in pairs:
        if not re.search(a,t,re.S): print('not found',p,a)
        t=re.sub(a,b,t,flags=re.S)
    f.write_text(t)
ed('bot/__main__.py',(r'    if given.command in \("forget", "export", "forget-server"\):\n        pass\n    else:\n        from bot.host import commands\n','    from bot.host import commands\n'))
ed('bot/platform/jobs.py',(r'TypeVar\("Key"\)','TypeVar("FlightKey")'))
ed('bot/sandbox/__init__.py',(r'"reading"','"people"'))
for p in ('tests/data/test_migrate_server.py','tests/data/test_server.py','tests/support/postgres.py','tests/world/database_queries.py'):
    ed(p,(r'import asyncpg as driver\n','import asyncpg as driver  # pyright: ignore[reportMissingTypeStubs]  -- it has none\n'))
ed('tests/simcord/stand_in.py',(r'router\.note_loop_ran','router.feed'),(r'from simcord import _dpy_internals as internals\n','from simcord import _dpy_internals as internals  # pyright: ignore[reportPrivateUsage]  -- there is no other door\n'),(r'from simcord._clock import Clock as TheirClock\n','from simcord._clock import Clock as TheirClock  # pyright: ignore[reportPrivateUsage]\n'))
