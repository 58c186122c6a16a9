import asyncio,collections,datetime,pathlib,io,re,sqlite3,logging,threading,subprocess,random,inspect,types
import discord,sqlalchemy,aiohttp,PIL.Image,PIL.ImageDraw,aiosqlite,prometheus_client,discord.ext.commands,discord.app_commands,discord.ui,pytest,alembic.op,sqlalchemy.ext.asyncio,concurrent.futures,multiprocessing,queue,argparse,playwright.async_api,playwright.sync_api,hypothesis
names=set()
def add(mod,depth=0):
    for n in dir(mod):
        o=getattr(mod,n,None)
        if isinstance(o,type): names.update(x for x in dir(o)); names.update(getattr(o,'__annotations__',{})); names.update(getattr(o,'__slots__',()) if not isinstance(getattr(o,'__slots__',()),str) else ())
import builtins
for m in [builtins,asyncio,collections,datetime,pathlib,io,re,sqlite3,logging,threading,subprocess,random,inspect,types,discord,sqlalchemy,aiohttp,PIL.Image,PIL.ImageDraw,aiosqlite,prometheus_client,discord.ext.commands,discord.app_commands,discord.ui,pytest,sqlalchemy.ext.asyncio,concurrent.futures,multiprocessing,queue,argparse,playwright.async_api,hypothesis]: add(m)
import discord.state,discord.http,discord.gateway,discord.client,discord.interactions,discord.webhook.async_
for m in [discord.state,discord.http,discord.gateway,discord.client,discord.interactions,discord.webhook.async_]: add(m)
print('\n'.join(sorted(names)))
