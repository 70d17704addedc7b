import type { Route } from '../../engine/route.ts'
import { layerRoutes } from './layer-routes.ts'

/** What analyses can be asked besides what every resource can. */
export const analysisRoutes: readonly Route[] = [...layerRoutes]
