import type { Route } from '../../engine/route.ts'
import { aggregateEntities } from './aggregate-entities.ts'
import { countEntityValues } from './entity-counts.ts'
import { countObservableValues } from './observable-counts.ts'

/** Statistics about entities and observables. */
export const aggregationRoutes: readonly Route[] = [countEntityValues, countObservableValues, aggregateEntities]
