import type { Route } from '../../engine/route.ts'
import { collectionRoutes } from './collection-information.ts'
import { readingRoutes } from './reading.ts'
import { getApiRoot, getDiscovery } from './server-information.ts'
import { getStatus } from './status.ts'
import { writingRoutes } from './writing.ts'

/** The TAXII 2.1 server: outgoing feeds are collections to read, incoming feeds with the push transport collections to write to. */
export const taxiiRoutes: readonly Route[] = [
  getDiscovery,
  getApiRoot,
  getStatus,
  ...collectionRoutes,
  ...readingRoutes,
  ...writingRoutes,
]
