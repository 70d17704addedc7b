import type { Route } from '../../engine/route.ts'
import { compareLayer } from './compare-layer-route.ts'
import { compareAnalyses } from './compare-route.ts'
import { layerRoutes } from './layer-routes.ts'
import { readResult } from './result-route.ts'

/** What analyses can be asked besides what every resource can. */
export const analysisRoutes: readonly Route[] = [readResult, compareAnalyses, compareLayer, ...layerRoutes]
