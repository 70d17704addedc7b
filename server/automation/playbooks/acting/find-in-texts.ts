import { sql } from 'kysely'
import { readNodes } from '../../../attack/classification/nodes.ts'
import { resolveAttacks } from '../../../attack/classification/resolve.ts'
import { withAttacksInTexts } from '../../../attack/classification/texts/classify-texts.ts'
import { observableOf } from '../../../domain/observables/read.ts'
import { isRecord } from '../../../domain/record.ts'
import type { Finding } from '../../../formats/finding.ts'
import { extractInThread } from '../../../formats/text/extract-in-thread.ts'
import type { NamedObservable } from '../../../intelligence/entities/observables-in.ts'
import { readExclusions } from '../../../intelligence/exclusion-lists.ts'
import type { StepContext } from '../step.ts'

type EntityText = Extract<Finding, { kind: 'entity' }>['entity']['data']

/** What the texts of an entity contain. */
export interface InTexts {
  readonly observables: readonly NamedObservable[]
  readonly attacks: readonly string[]
  /** How many observables are left out, because they are on exclusion lists. */
  readonly excluded: number
  readonly warnings: readonly string[]
}

const MAX_TEXT_LENGTH = 1_000_000
const MAX_OBSERVABLES = 10_000

/** Searches the title and the description of the entity of a run. */
export async function findInTexts({ ctx, subject }: StepContext): Promise<InTexts> {
  const { rows } = await sql<{ data: EntityText }>`
    select t.data from entities as t where t.id = ${subject.id}::uuid`.execute(ctx.db)
  const data = rows[0]?.data
  if (!isRecord(data)) return { observables: [], attacks: [], excluded: 0, warnings: [] }
  const whole = [data.title, data.description].filter((text) => typeof text === 'string').join('\n\n')
  const text = whole.slice(0, MAX_TEXT_LENGTH)
  const isExcluded = await readExclusions(ctx.db)
  const found = await extractInThread(text, MAX_OBSERVABLES)
  const named = found.slice(0, MAX_OBSERVABLES).flatMap(({ type, value }): NamedObservable[] => {
    const read = observableOf(type, value)
    return 'fault' in read ? [] : [{ type: read.type, value: read.value }]
  })
  const observables = named.filter(({ type, value }) => isExcluded(type, value) === undefined)
  return {
    observables,
    attacks: await attacksIn(ctx, data),
    excluded: named.length - observables.length,
    warnings: [
      ...(text.length < whole.length ? [`Only the first ${MAX_TEXT_LENGTH} characters were searched.`] : []),
      ...(found.length > MAX_OBSERVABLES ? [`Only the first ${MAX_OBSERVABLES} observables were used.`] : []),
    ],
  }
}

/** The attack nodes that the texts name, as far as the settings of imports allow, and without unknown ones. */
async function attacksIn(ctx: StepContext['ctx'], data: EntityText): Promise<readonly string[]> {
  const finding: Finding = { kind: 'entity', at: '', entity: { data } }
  const [located] = await withAttacksInTexts(ctx, [{ finding }])
  const said = located?.finding.kind === 'entity' ? (located.finding.entity.attacks ?? []) : []
  if (said.length === 0) return []
  const { attacks, unknown } = resolveAttacks(await readNodes(ctx), said)
  return attacks.filter((id) => !unknown.includes(id))
}
