import { z } from 'zod'
import { string } from '../../../../engine/field.ts'
import type { EnricherFunction, Finding, LookUp, LookUpResult, Subject, TableHit } from '../../function.ts'

/** The beginning of the names of functions that read tables. */
export const TABLE = 'table:'

const verdicts = ['safe', 'low', 'medium', 'high'] as const

/** The verdict on what a table lists, which the operator chooses. */
export const verdictParameter = (otherwise: (typeof verdicts)[number] | null) =>
  z
    .enum(verdicts)
    .nullable()
    .default(otherwise)
    .meta({ title: 'Verdict', description: 'The verdict on observables that the table lists.' })

interface Told<P> {
  readonly hits: readonly TableHit[]
  readonly subject: Subject
  readonly table: string
  readonly parameters: P
}

/** What rows say about an observable. */
export interface Said {
  readonly findings: readonly Finding[]
  readonly warnings?: readonly string[]
}

interface Definition<S extends z.ZodRawShape> {
  /** The usual name of the table, with which the function is named as well. */
  readonly table: string
  readonly title: string
  readonly description: string
  readonly supportedTypes: readonly string[]
  /** How the table is set up and where its content is published. */
  readonly load: string
  readonly parameters: S
  find(context: LookUp, table: string, subject: Subject): Promise<readonly TableHit[] | undefined>
  read(told: Told<z.output<z.ZodObject<S>>>): Said
}

const tableName = (otherwise: string) =>
  string(1, 100)
    .default(otherwise)
    .meta({ title: 'Table', description: 'The name of the enricher table that is read.' })

/** A function that reads a loaded table: no observable leaves the platform. */
export function tableFunction<S extends z.ZodRawShape>(definition: Definition<S>): EnricherFunction {
  const own = z.object(definition.parameters)
  const parameters = own.extend({ table: tableName(definition.table) })
  return {
    name: `${TABLE}${definition.table}`,
    title: definition.title,
    description: definition.description,
    supportedTypes: definition.supportedTypes,
    parameters,
    secrets: [],
    limits: [],
    isRemote: false,
    requestsPerLookUp: 0,
    setUp: definition.load,
    lookUp: async (context, subject) => {
      const { table } = parameters.parse(context.parameters) as { table: string }
      const hits = await definition.find(context, table, subject)
      if (!hits) return notLoaded(table, definition.load)
      if (hits.length === 0) return { state: 'EMPTY' }
      const { findings, warnings = [] } = definition.read({
        hits,
        subject,
        table,
        parameters: own.parse(context.parameters),
      })
      return findings.length + warnings.length === 0 ? { state: 'EMPTY' } : { state: 'FOUND', findings, warnings }
    },
  }
}

const notLoaded = (table: string, load: string): LookUpResult => ({
  state: 'SKIPPED',
  reason: `The table '${table}' is not loaded. ${load}`,
})

/** The verdict as a finding, if there is one. */
export const verdictOn = (maliciousness: (typeof verdicts)[number] | null, reason: string): Finding[] =>
  maliciousness === null ? [] : [{ kind: 'verdict', maliciousness, reason }]
