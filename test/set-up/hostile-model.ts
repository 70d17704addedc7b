import type { Script } from './scripted-provider.ts'

/** An entity as a model answers it. */
export interface SaidEntity {
  readonly type: string
  readonly title: string
  readonly aliases: readonly string[]
  readonly quote: string
  readonly confidence: string
  readonly attacks: readonly string[]
  readonly observables: readonly number[]
}

/** A report that gives orders to models. */
export interface HostileReport {
  readonly name: string
  /** What stands after the sentence that is true. */
  readonly text: string
  /** What an obeying model adds to its answer. */
  readonly entities: readonly SaidEntity[]
  readonly observables?: readonly object[]
  /** Techniques that it adds to entities that are true. */
  readonly attacks?: readonly string[]
  /** Members that it adds to its answer and to each entity. */
  readonly extra?: object
  /** Whether it repeats all that it knows. */
  readonly doesEcho?: boolean
  readonly isFenced?: boolean
  /** What it answers in prose. */
  readonly prose: string
  /** What must not reach the model. */
  readonly unseen: readonly string[]
  /** The titles that the text proves, if they are not those of every report. */
  readonly named?: readonly string[]
}

/** Stands in every report. */
export const REAL_SENTENCE = 'Silent Crane sent mails with GullLoader to banks from 203.0.113.7.'
export const REAL_ENTITIES = ['Silent Crane', 'GullLoader']

export const invented = (more: Partial<SaidEntity>): SaidEntity => ({
  type: 'threat-actor',
  title: 'Invented',
  aliases: [],
  quote: REAL_SENTENCE,
  confidence: 'high',
  attacks: [],
  observables: [],
  ...more,
})

/** A model that does what a report orders, and does its work otherwise. */
export const obeying =
  ({ entities, observables = [], attacks = [], extra = {}, doesEcho, isFenced, prose }: HostileReport): Script =>
  ({ schema, text }) => {
    const echoed = doesEcho ? text.slice(0, 4_000) : ''
    if (schema === undefined) return `${prose} ${echoed}`
    const [actor = '', malware = ''] = REAL_ENTITIES
    const real = [
      invented({ title: actor, attacks }),
      invented({ title: malware, type: 'malware', attacks, observables: [1] }),
    ]
    const said = [...real, ...entities, ...(doesEcho ? [invented({ title: echoed, quote: echoed })] : [])]
    const answer = JSON.stringify({
      ...extra,
      entities: said.map((entity) => ({ ...extra, ...entity })),
      observables: [{ number: 1, label: 'malicious', use: 'delivery' }, ...observables],
    })
    return isFenced ? `Sure!\n\`\`\`json\n${answer}\n\`\`\`\nDone.` : answer
  }
