import type { Route } from '../../../engine/route.ts'
import { startExportRoutes } from './start-export.ts'
import { streamExport } from './stream-export.ts'

/** Every way in which entities leave the platform on somebody's request. */
export const exportRoutes: readonly Route[] = [...startExportRoutes, streamExport]
