"""x"""
from __future__ import annotations
from tests.simcord.stand_in import Stage

async def test_probe(stage: Stage) -> None:
        env=stage
        guild=env.create_guild("Graph")
        games_=guild.create_text_channel("games")
        ann=guild.add_member(env.create_user("ann", global_name="Ann"))
        bea=guild.add_member(env.create_user("bea", global_name="Bea"))
        r=await ann.slash(games_, "binary-primes challenge", size=3, opponent=bea)
        print(r)
        print(env.text(r))
        for m in games_.history(): print(m.id, env.text(m), env.labels(m))
        r=await bea.click(games_.last_message, label="Accept")
        print(r, env.text(r))
        for th in games_.threads:
            print(th.name)
            for m in th.history(): print(m.id, env.text(m), env.labels(m))
        print(env.transcript()[-3000:])
