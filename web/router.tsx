import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { Entrance } from './entrance.tsx'
import { lazyPage } from './lazy-page.ts'
import { NotFound } from './pages/not-found.tsx'
import { BrokenPage } from './ui/broken-page.tsx'

const root = createRootRoute({ component: Entrance, notFoundComponent: NotFound })

type Search = Record<string, unknown>

/** A page at a path; each page validates its own query parameters. */
const page = <const P extends string>(path: P, component: ReturnType<typeof lazyPage>) =>
  createRoute({ getParentRoute: () => root, path, component, validateSearch: (search: Search): Search => search })

const pages = [
  page(
    '/',
    lazyPage(() => import('./pages/search/search.tsx'), 'Search'),
  ),
  page(
    '/profile',
    lazyPage(() => import('./pages/profile/profile.tsx'), 'Profile'),
  ),
  page(
    '/entities/new',
    lazyPage(() => import('./pages/entity/new-entity.tsx'), 'NewEntity'),
  ),
  page(
    '/entities/$id',
    lazyPage(() => import('./pages/entity/entity.tsx'), 'EntityPage'),
  ),
  page(
    '/entities/$id/edit',
    lazyPage(() => import('./pages/entity/edit-entity.tsx'), 'EditEntity'),
  ),
  page(
    '/observables/$id',
    lazyPage(() => import('./pages/observable/observable.tsx'), 'ObservablePage'),
  ),
  page(
    '/graph',
    lazyPage(() => import('./pages/graph/graph.tsx'), 'GraphPage'),
  ),
  page(
    '/datasets',
    lazyPage(() => import('./pages/datasets/datasets.tsx'), 'Datasets'),
  ),
  page(
    '/datasets/$id',
    lazyPage(() => import('./pages/datasets/dataset.tsx'), 'DatasetPage'),
  ),
  page(
    '/dashboards',
    lazyPage(() => import('./pages/dashboards/dashboards.tsx'), 'Dashboards'),
  ),
  page(
    '/dashboards/$id',
    lazyPage(() => import('./pages/dashboards/dashboard.tsx'), 'DashboardPage'),
  ),
  page(
    '/workspaces',
    lazyPage(() => import('./pages/workspaces/workspaces.tsx'), 'Workspaces'),
  ),
  page(
    '/workspaces/$id',
    lazyPage(() => import('./pages/workspaces/workspace.tsx'), 'WorkspacePage'),
  ),
  page(
    '/tickets',
    lazyPage(() => import('./pages/tickets/tickets.tsx'), 'Tickets'),
  ),
  page(
    '/tickets/$id',
    lazyPage(() => import('./pages/tickets/ticket.tsx'), 'TicketPage'),
  ),
  page(
    '/files',
    lazyPage(() => import('./pages/files/files.tsx'), 'Files'),
  ),
  page(
    '/files/$id',
    lazyPage(() => import('./pages/files/file.tsx'), 'FilePage'),
  ),
  page(
    '/incoming-feeds',
    lazyPage(() => import('./pages/feeds/incoming-feeds.tsx'), 'IncomingFeeds'),
  ),
  page(
    '/incoming-feeds/$id',
    lazyPage(() => import('./pages/feeds/incoming-feed.tsx'), 'IncomingFeedPage'),
  ),
  page(
    '/outgoing-feeds',
    lazyPage(() => import('./pages/feeds/outgoing-feeds.tsx'), 'OutgoingFeeds'),
  ),
  page(
    '/outgoing-feeds/$id',
    lazyPage(() => import('./pages/feeds/outgoing-feed.tsx'), 'OutgoingFeedPage'),
  ),
  page(
    '/runs',
    lazyPage(() => import('./pages/runs/runs.tsx'), 'Runs'),
  ),
  page(
    '/runs/$id',
    lazyPage(() => import('./pages/runs/run.tsx'), 'RunPage'),
  ),
  page(
    '/admin',
    lazyPage(() => import('./pages/admin/admin.tsx'), 'Admin'),
  ),
  page(
    '/admin/$collection',
    lazyPage(() => import('./pages/admin/collection.tsx'), 'CollectionPage'),
  ),
  page(
    '/admin/$collection/$id',
    lazyPage(() => import('./pages/admin/object.tsx'), 'ObjectPage'),
  ),
]

/** The route tree; the code of each page is loaded when it is first visited. */
export const router = createRouter({
  routeTree: root.addChildren(pages),
  defaultPreload: 'intent',
  defaultErrorComponent: BrokenPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
