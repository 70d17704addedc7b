import type { Route } from '../../engine/route.ts'
import { aggregateEntities } from './aggregate-entities.ts'
import { countEntityValues } from './entity-counts.ts'

/** What entities have in common, in numbers. */
export const aggregationRoutes: readonly Route[] = [countEntityValues, aggregateEntities]
