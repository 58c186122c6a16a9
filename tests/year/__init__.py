"""A year of Graph Paper in a few minutes, on a moved clock, with a referee who knows better what everybody's time was.

`python -m tests.year` has 200 people play 1,000 matches of all games: people who are away, who rest at weekends, who
forget to move, who ask for a takeback or a pause, everywhere in the world. The store, the umpire and the timer are the
real ones; the bot dies in the middle of its steps, sleeps for days, and looks twice at the same moment. Instead of
Discord there is a stand-in that notes who was told what and when. What really happened is written down as a journal,
and from that alone `referee` computes, with arithmetic of its own, what every clock must have had left."""
