import type { Kind, Owner, Work } from '../engine/work.ts'

/** The maximum number of connections by kind of work. */
interface Limits {
  readonly kinds: Readonly<Record<Kind, number>>
  readonly owner: number
  readonly requests: number
}

/** Shares the connections of a pool out among requests. */
export interface Shares {
  /**
   * Waits for a free connection; `undefined` stands for work that belongs to no request. Call the returned function
   * when done.
   */
  take(work: Work | undefined): Promise<() => void>
  /** The number of waiting requests. */
  waiting(): number
  /** The number of owners that hold or wait for a connection. */
  owners(): number
}

interface Waiter {
  readonly work: Work | undefined
  readonly start: () => void
}

/** The connections that one owner holds and waits for. */
interface Holder {
  readonly held: Record<Kind, number>
  readonly waiting: Waiter[]
}

/**
 * Shares connections out so that no owner can take them all: each has a limit per kind of work and in total, and
 * owners take turns. One connection is reserved for work that belongs to no request, such as authentication.
 */
export function openShares(capacity: number): Shares {
  const limits = limitsOf(capacity)
  const owners = new Map<Owner, Holder>()
  const first: Waiter[] = []
  const used = { all: 0, requests: 0 }

  const ownerOf = (id: Owner): Holder => {
    const known = owners.get(id) ?? { held: { read: 0, write: 0, export: 0 }, waiting: [] }
    owners.set(id, known)
    return known
  }

  const give = ({ work, start }: Waiter): void => {
    used.all++
    if (work) {
      used.requests++
      work.held++
      ownerOf(work.owner).held[work.kind]++
    }
    start()
  }

  const giveBack = (work: Work | undefined): void => {
    used.all--
    if (work) {
      used.requests--
      work.held--
      ownerOf(work.owner).held[work.kind]--
      forgetIdle(work.owner)
    }
    giveOn()
  }

  const forgetIdle = (id: Owner): void => {
    const owner = ownerOf(id)
    if (heldBy(owner) === 0 && owner.waiting.length === 0) owners.delete(id)
  }

  const giveOn = (): void => {
    for (let next = nextOne(); next; next = nextOne()) give(next)
  }

  const nextOne = (): Waiter | undefined => {
    if (used.all >= capacity) return undefined
    if (first.length > 0) return first.shift()
    if (used.requests >= limits.requests) return undefined
    for (const [id, owner] of owners) {
      const at = owner.waiting.findIndex(({ work }) => work && mayHave(limits, owner, work))
      if (at < 0) continue
      // An owner that had its turn moves to the end of the queue.
      owners.delete(id)
      owners.set(id, owner)
      return owner.waiting.splice(at, 1)[0]
    }
    return undefined
  }

  return {
    take: async (work) => {
      work?.signal.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        const queue = work ? ownerOf(work.owner).waiting : first
        const waiter: Waiter = {
          work,
          start: () => {
            work?.signal.removeEventListener('abort', leave)
            resolve()
          },
        }
        const leave = () => {
          const at = queue.indexOf(waiter)
          if (at >= 0) queue.splice(at, 1)
          if (work) forgetIdle(work.owner)
          reject(work?.signal.reason)
        }
        work?.signal.addEventListener('abort', leave, { once: true })
        queue.push(waiter)
        giveOn()
      })
      return once(() => giveBack(work))
    },
    waiting: () => first.length + [...owners.values()].reduce((sum, { waiting }) => sum + waiting.length, 0),
    owners: () => owners.size,
  }
}

const limitsOf = (capacity: number): Limits => ({
  kinds: {
    // A page uses two connections: one for its rows, one for the count.
    read: Math.max(2, Math.floor(capacity / 4)),
    write: Math.max(2, Math.floor(capacity / 2)),
    export: Math.max(1, Math.floor(capacity / 5)),
  },
  owner: Math.max(2, Math.floor(capacity * 0.6)),
  requests: Math.max(1, capacity - 1),
})

const heldBy = ({ held }: Holder): number => held.read + held.write + held.export

/**
 * Whether an owner is within its limits. A write that already holds a connection is exempt: it would block the one it
 * holds while waiting for another.
 */
const mayHave = (limits: Limits, owner: Holder, { kind, held }: Work): boolean =>
  (kind === 'write' && held > 0) || (owner.held[kind] < limits.kinds[kind] && heldBy(owner) < limits.owner)

function once(run: () => void): () => void {
  const rest = [run]
  return () => rest.pop()?.()
}
