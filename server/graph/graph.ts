import type { Route } from '../engine/route.ts'
import { expandGraph } from './expand.ts'
import { neighbourhood } from './neighbourhood.ts'
import { findPaths } from './paths.ts'
import { readGraphNodes } from './read-nodes.ts'

/** Endpoints for exploring entities, relationships and observables as a graph. */
export const graphRoutes: readonly Route[] = [neighbourhood, expandGraph, findPaths, readGraphNodes]
