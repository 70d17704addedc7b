import { messageOf } from '../../engine/body.ts'
import type { Item } from '../../engine/context.ts'
import { type EntityData, entityData } from '../entities/entity-data.ts'
import type { TargetType } from './rule.ts'

type Stored = EntityData & { readonly id: string }

/** Converted data, or why the schema of the type refuses it. */
export type Converted = { readonly data: Stored } | { readonly fault: string }

/** Whether data has the type already. */
export const isConverted = (data: EntityData, target: TargetType): boolean =>
  target === 'malware-family' ? data.type === 'malware' && (data as Item).is_family === true : data.type === target

/** Converts data to another type in place. Everything else in it stays as it is, so that the conversion can be taken back. */
export function convert(data: Stored, target: TargetType): Converted {
  const isFamily = target === 'malware-family'
  const next = { ...data, type: isFamily ? 'malware' : target, ...(isFamily && { is_family: true }) } as Stored
  return accepted(next)
}

/** Gives converted data its former type. */
export function convertBack(data: Stored, before: string, wasFamily: boolean | null): Converted {
  const { is_family: _, ...rest } = data as Item
  const kept = wasFamily === null ? rest : { ...rest, is_family: wasFamily }
  return accepted({ ...kept, type: before } as Stored)
}

function accepted(data: Stored): Converted {
  const { error } = entityData.safeParse(data, { error: messageOf })
  if (!error) return { data }
  const [issue] = error.issues
  return { fault: `data.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not allowed'}` }
}
