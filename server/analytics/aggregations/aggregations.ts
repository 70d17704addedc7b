import type { Route } from '../../engine/route.ts'
import { aggregateEntities } from './aggregate-entities.ts'
import { countEntityValues } from './entity-counts.ts'
import { countObservableValues } from './observable-counts.ts'

/** What entities and observables have in common, in numbers. */
export const aggregationRoutes: readonly Route[] = [countEntityValues, countObservableValues, aggregateEntities]
