"""Workers, a database and an object storage, as far as converting chunks goes.

A worker has one chunk more in hand than model threads, as the service does (`jobs.concurrency`). A chunk is claimed (a
transaction), spoken and encoded (a core of the worker), stored (time that passes, nobody waits in a queue), and recorded (a
transaction that holds the account's row, because it charges). Work is never short: the question is what an installation makes at most.

The database has cores that transactions queue for, a log whose flushes they share, a row to lock for each account and, when commits
notify, one lock that all of those hold over their flush.
"""

import dataclasses

from queueing import Log, Resource, Simulation, Watch

WARM_UP = 0.25


@dataclasses.dataclass(frozen=True)
class Figures:
    """Figures that were measured (measured.json tells where) or assumed (marked as such there)."""

    chunk_characters: float
    core_seconds_per_character: float
    database_core_seconds_per_chunk: float
    transactions_per_chunk: float
    idle_core_seconds_per_worker_second: float
    idle_transactions_per_worker_second: float
    flush_seconds: float
    store_seconds: float
    # The work for a chunk outside of the worker, on a single machine.
    other_core_seconds_per_chunk: float = 0.0


@dataclasses.dataclass(frozen=True)
class Installation:
    """The installation."""

    workers: int
    cores: int = 1
    database_cores: int = 16
    accounts: int = 1_000
    notify: bool = False
    polls: bool = True
    # All on one machine with this many cores, each worker pinned to its own. None: no process takes
    # cores from the workers.
    machine_cores: int | None = None


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The results."""

    chunks_per_second: float
    characters_per_second: float
    database_busy: float
    database_wait_p99: float
    commit_p99: float
    worker_busy: float


class Database:
    """The database's resources."""

    def __init__(self, simulation, figures, installation):
        self.simulation = simulation
        self.figures = figures
        self.cores = Resource(simulation, installation.database_cores)
        self.log = Log(simulation, figures.flush_seconds)
        self.rows = [Resource(simulation, 1) for _ in range(installation.accounts)]
        self.notifying = Resource(simulation, 1) if installation.notify else None
        self.took = Watch()
        self.part = figures.database_core_seconds_per_chunk / figures.transactions_per_chunk

    def transaction(self, row=None):
        """A transaction that commits and locks the row of an account."""
        began = self.simulation.now
        if row:
            yield row.take()
        yield self.cores.take()
        yield self.part
        self.cores.give()
        if self.notifying and row:
            yield self.notifying.take()
        yield self.log.write()
        if self.notifying and row:
            self.notifying.give()
        if row:
            row.give()
        self.took.seconds.append(self.simulation.now - began)

    def looked_into(self, workers):
        """The polling of all workers: small reads at random times."""
        rate = workers * self.figures.idle_transactions_per_worker_second
        while rate > 0:
            yield self.simulation.random.expovariate(rate)
            self.simulation.spawn(self.look())

    def look(self):
        yield self.cores.take()
        yield self.figures.idle_core_seconds_per_worker_second / self.figures.idle_transactions_per_worker_second
        self.cores.give()


def convert(figures, installation, seconds=120.0, seed=1):
    """Converts continuously for a time and returns the results."""
    simulation = Simulation(seed)
    database = Database(simulation, figures, installation)
    done = [0]
    cores = [Resource(simulation, installation.cores) for _ in range(installation.workers)]
    random = simulation.random
    speak = figures.chunk_characters * figures.core_seconds_per_character
    machine = [*cores, *(Resource(simulation, 1) for _ in range((installation.machine_cores or 0) - len(cores)))]

    def other_work():
        """The work of everything else for a chunk, on the least busy core."""
        core = min(machine, key=lambda core: core.demand())
        yield core.take()
        yield figures.other_core_seconds_per_chunk
        core.give()

    def slot(own):
        # They started at different times.
        yield random.uniform(0, speak)
        while True:
            row = database.rows[random.randrange(len(database.rows))]
            yield from database.transaction()
            yield own.take()
            # Chunks end at sentences and chapters, so their lengths differ.
            yield speak * random.triangular(0.5, 1.5, 1.0)
            own.give()
            yield figures.store_seconds
            if installation.machine_cores:
                # Nothing waits for it; it only takes time on a core.
                simulation.spawn(other_work())
            # The other transactions: announcing objects, renewing the lease, dispatching events.
            for _ in range(max(round(figures.transactions_per_chunk) - 2, 0)):
                yield from database.transaction()
            yield from database.transaction(row)
            done[0] += 1

    for own in cores:
        for _ in range(installation.cores + 1):
            simulation.spawn(slot(own))
    if installation.polls:
        simulation.spawn(database.looked_into(installation.workers))
    simulation.run(seconds * WARM_UP)
    for resource in [database.cores, *cores]:
        resource.forget()
    database.took.forget()
    before = done[0]
    simulation.run(seconds)
    rate = (done[0] - before) / (seconds * (1 - WARM_UP))
    return Outcome(
        chunks_per_second=rate,
        characters_per_second=rate * figures.chunk_characters,
        database_busy=database.cores.busy(),
        database_wait_p99=database.cores.waited.at(0.99),
        commit_p99=database.took.at(0.99),
        worker_busy=sum(own.busy() for own in cores) / len(cores),
    )
