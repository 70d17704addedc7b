import type { Route } from '../../../engine/route.ts'
import { startExportRoutes } from './start-export.ts'
import { streamExport } from './stream-export.ts'

/** The endpoints that export entities. */
export const exportRoutes: readonly Route[] = [...startExportRoutes, streamExport]
