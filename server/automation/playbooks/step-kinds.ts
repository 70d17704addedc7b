import { z } from 'zod'
import { schemaOfParameters } from './references.ts'
import { OBJECT_COLLECTIONS, type StepKind } from './step.ts'
import { stepKinds } from './steps/steps.ts'

const byName: ReadonlyMap<string, StepKind> = new Map(stepKinds.map((kind) => [kind.kind, kind]))

/** The kind of steps with a name; undefined if there is none. */
export const kindOf = (name: string): StepKind | undefined => byName.get(name)

/** The names of all kinds of steps. */
export const kindNames = stepKinds.map(({ kind }) => kind) as [string, ...string[]]

const schemas = new Map<string, Readonly<Record<string, unknown>>>()

/** The JSON schema of the parameters of a kind. */
export function schemaOf({ kind, parameters }: StepKind): Readonly<Record<string, unknown>> {
  const known = schemas.get(kind) ?? schemaOfParameters(parameters)
  schemas.set(kind, known)
  return known
}

/** A kind of steps as editors need it. */
export const shownKind = z.object({
  kind: z.string(),
  title: z.string(),
  description: z.string(),
  outcomes: z.record(z.string(), z.string()).describe('The outcomes that later steps can ask for, and their meaning.'),
  ends: z.array(z.string()).describe('The outcomes after which the run ends.'),
  collections: z.array(z.enum(OBJECT_COLLECTIONS)).describe('What it can work on.'),
  parameters: z.looseObject({}).describe('A JSON schema. `x-corvus-collection` marks references.'),
  templates: z.array(z.string()).describe('The parameters that are texts with placeholders.'),
})

/** All kinds of steps. */
export const listKinds = (): z.output<typeof shownKind>[] =>
  stepKinds.map((kind) => ({
    kind: kind.kind,
    title: kind.title,
    description: kind.description,
    outcomes: { ...kind.outcomes },
    ends: [...(kind.ends ?? [])],
    collections: [...kind.collections],
    parameters: { ...schemaOf(kind) },
    templates: [...kind.templates],
  }))
