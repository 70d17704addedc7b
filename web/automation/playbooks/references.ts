import type { Schema } from '../../api/schema.ts'
import { type Document, isDocument } from '../../forms/paths.ts'
import { nodeOf } from '../../intelligence/entity/node-of.ts'
import type { Step, StepKind } from './playbook.ts'

/** What a parameter of a step refers to, and whether to several objects. */
export interface ReferenceField {
  readonly collection: string
  readonly isList: boolean
}

/** What a parameter refers to; undefined if it is no reference. */
export function referenceField(schema: Schema): ReferenceField | undefined {
  const own = collectionIn(schema)
  if (own !== undefined) return { collection: own, isList: false }
  const items = schema.items && collectionIn(schema.items)
  return items === undefined ? undefined : { collection: items, isList: true }
}

const collectionIn = (schema: Schema): string | undefined =>
  schema['x-corvus-collection'] ?? schema.anyOf?.flatMap((each) => each['x-corvus-collection'] ?? [])[0]

/** The name in a reference such as `{"name": "Blocking"}`. */
export const nameIn = (value: unknown): string | undefined =>
  isDocument(value) && typeof value.name === 'string' ? value.name : undefined

const BY_NAME = 'name:'

/** A reference as the value of an input: its id, or its name for references of other installations. */
export function inputValue(value: unknown): string {
  const name = nameIn(value)
  return name === undefined ? nodeOf(String(value)) : `${BY_NAME}${name}`
}

/** The name in the value of an input, for a reference by name. */
export const nameOfInput = (value: string): string | undefined =>
  value.startsWith(BY_NAME) ? value.slice(BY_NAME.length) : undefined

/** The reference to send for the value of an input. */
export function referenceOf(value: string): unknown {
  const name = nameOfInput(value)
  if (name !== undefined) return { name }
  return /^\d{1,10}$/.test(value) ? Number(value) : value
}

/** The references of a parameter as values of inputs. */
export const inputValues = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(inputValue) : value === null || value === undefined ? [] : [inputValue(value)]

/** A step with its references replaced. */
export function mapReferences(
  step: Step,
  kind: StepKind | undefined,
  replace: (value: unknown, collection: string) => unknown,
): Step {
  const changed: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(kind?.parameters.properties ?? {})) {
    const field = referenceField(schema)
    const value = step[name]
    if (!field || value === null || value === undefined) continue
    changed[name] = Array.isArray(value)
      ? value.map((each) => replace(each, field.collection))
      : replace(value, field.collection)
  }
  return { ...step, ...changed }
}

/** Collections whose objects have the same names in other installations. */
const PORTABLE: readonly string[] = ['enrichers', 'datasets', 'workspaces', 'users']

/** A playbook as a file: references by name, and no secrets. */
export function exported(
  playbook: { readonly name: string; readonly description: string | null; readonly trigger: unknown },
  steps: readonly Step[],
  kinds: readonly StepKind[],
  namesOf: (collection: string) => ReadonlyMap<string, string>,
): Document {
  const byName = (value: unknown, collection: string) => {
    const name = PORTABLE.includes(collection) ? namesOf(collection).get(inputValue(value)) : undefined
    return name === undefined ? value : { name }
  }
  const { name, description, trigger } = playbook
  const written = steps.map((step) => {
    const kind = kinds.find((each) => each.kind === step.kind)
    return withoutSecrets(mapReferences(step, kind, byName), kind)
  })
  return { name, description, trigger, steps: written }
}

const withoutSecrets = (step: Step, kind: StepKind | undefined): Step =>
  ({
    ...Object.fromEntries(Object.entries(step).filter(([name]) => !isSecret(kind?.parameters.properties?.[name]))),
  }) as unknown as Step

/** Whether a parameter is a secret. */
export const isSecret = (schema: Schema | undefined): boolean =>
  schema?.writeOnly === true || schema?.format === 'password'
