import type { EntityType } from '../intelligence/entities/entity-data.ts'
import type { Cast } from './cast.ts'
import { findingDetails } from './details-findings.ts'
import { threatDetails } from './details-threats.ts'
import type { Random } from './random.ts'

/** The fields that only entities of one type have. */
export type Details = (random: Random, cast: Cast) => Record<string, unknown>

/** The specific fields of each type. */
export const details: Readonly<Record<EntityType, Details>> = { ...findingDetails, ...threatDetails }
