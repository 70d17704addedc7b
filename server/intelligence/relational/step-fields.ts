import { z } from 'zod'
import { OBSERVABLE_TYPE_ALIASES, OBSERVABLE_TYPES } from '../../domain/observables/types.ts'
import type { Resource } from '../../engine/definition.ts'
import { link } from '../../engine/link.ts'
import { currentType, OLDER_TYPE } from '../entities/data/vendor-sighting.ts'
import { entityTypes } from '../entities/entity-data.ts'

/** An id or URL of an object, read as its id. */
export const idOf = (to: Resource['collection']) => link(to).transform(({ id }) => id)

/** The directions in which relationships are followed: from the source, from the target, or both. */
export const DIRECTIONS = ['out', 'in', 'any'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** The connections between entities that are followed: relationships, shared observables, or both. */
export const VIAS = ['relationships', 'observables', 'both'] as const
export type Via = (typeof VIAS)[number]

export const direction = z.enum(DIRECTIONS)
export const via = z.enum(VIAS)

export const keys = z
  .array(
    z
      .string()
      .max(256)
      .regex(/^[a-z0-9-]*$/, 'must contain only a-z, 0-9 and hyphens'),
  )
  .min(1)
  .max(100)

/** Null matches relationships without a subtype. */
export const subtypes = z.array(z.literal('stix_update_of').nullable()).min(1).max(2)

const entityType = z.enum([...entityTypes, OLDER_TYPE]).transform(currentType)

export const types = z.array(entityType).min(1).max(100)

const observableType = z
  .enum([...OBSERVABLE_TYPES, ...Object.keys(OBSERVABLE_TYPE_ALIASES)])
  .transform((type): string => OBSERVABLE_TYPE_ALIASES[type] ?? type)

export const observableTypes = z.array(observableType).min(1).max(1000)
