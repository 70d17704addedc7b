import { after } from 'node:test'
import type {
  CallNeeded,
  StepContext,
  StepKind,
  StepResult,
  Subject,
  Waiting,
} from '../../server/automation/playbooks/step.ts'
import { StepError } from '../../server/automation/playbooks/step.ts'
import { causedBy } from '../../server/engine/cause.ts'
import type { Context } from '../../server/engine/context.ts'
import { missing } from '../../server/engine/errors.ts'
import { makeId } from '../../server/engine/ids.ts'
import { asUser } from '../../server/identity/access/as-user.ts'
import { startEnrichers } from './enrichers.ts'

/** The application of the importing test file, which can call servers on this machine. */
export const corvus = await startEnrichers()
after(() => corvus.stop())
export const { ask, server } = corvus

/** How a step is done. */
export interface Doing {
  /** Whose playbook it is; by default the administrator's. */
  readonly owner?: number
  readonly key?: string
  readonly isDryRun?: boolean
  readonly results?: ReadonlyMap<string, StepResult>
  readonly playbook?: number
}

/** Playbooks with the ids 1 to 9, for what refers to them. */
await corvus.pool.query(
  `insert into playbooks (name, trigger, steps) select 'Playbook ' || n, '{}', '[]' from generate_series(1, 9) as n`,
)

const { id: adminId } = await ask('GET', 'users/self')
export const admin: number = adminId

/** The ids at the end of links. */
export const idsIn = (urls: readonly string[]): string[] => urls.map((url) => url.slice(url.lastIndexOf('/') + 1))

export type Ended = Partial<StepResult> & Partial<Waiting> & Partial<CallNeeded>

class Undone extends Error {
  readonly result: Ended

  constructor(result: Ended) {
    super('Rolled back.')
    this.result = result
  }
}

/** Does a step in a transaction of its own, as the engine does, and takes it back if it is a dry run. */
async function within(work: (step: StepContext) => Promise<Ended>, subject: Subject, doing: Doing): Promise<Ended> {
  const { owner = admin, key = makeId(), isDryRun = false, results = new Map(), playbook = 1 } = doing
  try {
    return await server.db.transaction().execute(async (db) => {
      const caller = await asUser({ db }, owner)
      if (!caller) throw new StepError('The owner is not active.')
      const cause = causedBy('playbook', playbook, [])
      const ctx: Context = {
        ...server,
        db,
        caller,
        cause,
        baseUrl: '',
        lookup: undefined,
        publicUrl: 'http://corvus.test',
      }
      const title = `of ${subject.collection}`
      const result = await work({
        ctx,
        subject,
        playbook: { id: playbook, name: 'Test', version: 1 },
        run: makeId(),
        step: 'one',
        key,
        isDryRun,
        results,
        fill: async (template) => template.replaceAll('{title}', title),
      })
      if (isDryRun) throw new Undone(result)
      return result
    })
  } catch (error) {
    if (error instanceof Undone) return error.result
    throw error
  }
}

/** Does a step with parameters as clients send them. Refuses owners without the permissions that the kind asks for. */
// biome-ignore lint/suspicious/noExplicitAny: kinds differ in their parameters
export const act = (kind: StepKind<any>, parameters: object, subject: Subject, doing: Doing = {}): Promise<Ended> => {
  const parsed = kind.parameters.parse(parameters)
  return within(
    async (step) => {
      const lacking = kind.permissions(parsed).filter((permission) => !step.ctx.caller.permissions.has(permission))
      if (lacking.length > 0) throw new StepError(missing(lacking).message)
      return kind.act(step, parsed)
    },
    subject,
    doing,
  )
}

/** Looks at a step that waits. */
export const resume = (
  // biome-ignore lint/suspicious/noExplicitAny: kinds differ in their parameters
  kind: StepKind<any>,
  parameters: object,
  subject: Subject,
  waitsFor: Waiting['waitsFor'],
  doing: Doing = {},
): Promise<Ended> =>
  within(async (step) => (await kind.resume?.(step, kind.parameters.parse(parameters), waitsFor)) ?? {}, subject, doing)

/** Makes the call of a step. */
export const call = async (
  // biome-ignore lint/suspicious/noExplicitAny: kinds differ in their parameters
  kind: StepKind<any>,
  parameters: object,
  subject: Subject,
  prepared: CallNeeded['prepared'],
  key = makeId(),
): Promise<StepResult | undefined> =>
  kind.call?.(
    {
      server,
      subject,
      prepared,
      key,
      playbook: { id: 1, name: 'Test', version: 1 },
      run: makeId(),
      step: 'one',
      isDryRun: false,
      results: new Map(),
      signal: new AbortController().signal,
      fill: async (template) => template,
    },
    kind.parameters.parse(parameters),
  )

export const entity = (id: string): Subject => ({ collection: 'entities', id })
export const observable = (id: number): Subject => ({ collection: 'observables', id: String(id) })
export const file = (id: number): Subject => ({ collection: 'files', id: String(id) })

/** Creates an entity, and returns it. */
export const makeEntity = (data: object = {}, more: object = {}) =>
  ask('POST', 'entities', { data: { type: 'report', title: 'Heron', ...data }, ...more })

/** The id of a user with permissions, who sees what the default group sees. */
export async function ownerWith(permissions: readonly string[]): Promise<number> {
  const token = await corvus.tokenFor(permissions)
  return (await corvus.call('GET', 'users/self', undefined, token)).body.data.id
}

/** An entity that no one sees. */
export async function hiddenEntity(): Promise<string> {
  const group = await corvus.blindGroup(`Apart ${makeId()}`)
  const made = await makeEntity({ title: 'Hidden' }, { sources: [group.source] })
  return made.id
}

/** How many rows a table has. */
export const countOf = async (table: string): Promise<number> =>
  Number((await corvus.pool.query(`select count(*) from ${table}`)).rows[0].count)
