"""A minimal discrete-event simulation: a clock, processes that are generators, and resources to queue for.

A process yields a number (seconds that pass), or what `Resource.take` and `Log.write` give it (until it is its turn). Everything
random comes from the simulation's own generator, so that a run can be repeated.
"""

import collections
import heapq
import itertools
import random


class Simulation:
    """The clock and the event queue."""

    def __init__(self, seed=1):
        self.now = 0.0
        self.random = random.Random(seed)
        self._events = []
        self._order = itertools.count()

    def at(self, when, action, *arguments):
        """Schedules a call; calls at the same time run in the order of scheduling."""
        heapq.heappush(self._events, (when, next(self._order), action, arguments))

    def spawn(self, process):
        """Starts a process now."""
        self.at(self.now, self._go_on, process)

    def _go_on(self, process):
        try:
            wanted = next(process)
        except StopIteration:
            return
        if isinstance(wanted, (int, float)):
            self.at(self.now + wanted, self._go_on, process)
        else:
            wanted(lambda: self.at(self.now, self._go_on, process))

    def run(self, until):
        """Lets time pass."""
        while self._events and self._events[0][0] <= until:
            self.now, _, action, arguments = heapq.heappop(self._events)
            action(*arguments)
        self.now = until


class Watch:
    """Durations since the last `forget`."""

    def __init__(self):
        self.seconds = []

    def forget(self):
        self.seconds = []

    def mean(self):
        return sum(self.seconds) / len(self.seconds) if self.seconds else 0.0

    def at(self, part):
        """The quantile: `at(0.99)`."""
        ordered = sorted(self.seconds)
        return ordered[min(int(part * len(ordered)), len(ordered) - 1)] if ordered else 0.0


class Resource:
    """A number of servers with one queue, first come, first served."""

    def __init__(self, simulation, servers):
        self.simulation = simulation
        self.servers = servers
        self.taken = 0
        self.waited = Watch()
        self._queue = collections.deque()
        self._busy = 0.0
        self._since = 0.0
        self._began = 0.0

    def take(self):
        """Yield this to wait for a server."""
        def wanted(go_on):
            if self.taken < self.servers:
                self._count(1)
                self.waited.seconds.append(0.0)
                go_on()
            else:
                self._queue.append((self.simulation.now, go_on))
        return wanted

    def give(self):
        """Returns the server, to the longest waiting process."""
        if self._queue:
            since, go_on = self._queue.popleft()
            self.waited.seconds.append(self.simulation.now - since)
            go_on()
        else:
            self._count(-1)

    def demand(self):
        """The processes that have or wait for a server, per server."""
        return (self.taken + len(self._queue)) / self.servers

    def _count(self, change):
        self._busy += self.taken * (self.simulation.now - self._since)
        self._since = self.simulation.now
        self.taken += change

    def busy(self):
        """The utilization since the last `forget`."""
        self._count(0)
        passed = self.simulation.now - self._began
        return self._busy / (passed * self.servers) if passed else 0.0

    def forget(self):
        """Resets the statistics, as after a warm-up."""
        self._count(0)
        self._busy, self._began = 0.0, self.simulation.now
        self.waited.forget()


class Log:
    """A write-ahead log: a flush takes a fixed time and includes all writes that were waiting when it started."""

    def __init__(self, simulation, flush_seconds):
        self.simulation = simulation
        self.flush_seconds = flush_seconds
        self.flushes = 0
        self.writes = 0
        self._waiting = []
        self._flushing = False

    def write(self):
        """Yield this to wait until the write is on disk."""
        def wanted(go_on):
            self._waiting.append(go_on)
            if not self._flushing:
                self._flush()
        return wanted

    def _flush(self):
        batch, self._waiting = self._waiting, []
        self._flushing = True
        self.flushes += 1
        self.writes += len(batch)
        self.simulation.at(self.simulation.now + self.flush_seconds, self._done, batch)

    def _done(self, batch):
        self._flushing = False
        if self._waiting:
            self._flush()
        for go_on in batch:
            go_on()
