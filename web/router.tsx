import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Entrance } from './entrance.tsx'
import { NotFound } from './pages/not-found.tsx'
import { BrokenPage } from './ui/broken-page.tsx'

const root = createRootRoute({ component: Entrance, notFoundComponent: NotFound })

type Search = Record<string, unknown>

/** A page at an address; what stands behind the question mark is its own affair. */
const page = <const P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component, validateSearch: (search: Search): Search => search })

const pages = [
  page(
    '/',
    lazyRouteComponent(() => import('./pages/search/search.tsx'), 'Search'),
  ),
  page(
    '/profile',
    lazyRouteComponent(() => import('./pages/profile/profile.tsx'), 'Profile'),
  ),
  page(
    '/entities/new',
    lazyRouteComponent(() => import('./pages/entity/new-entity.tsx'), 'NewEntity'),
  ),
  page(
    '/entities/$id',
    lazyRouteComponent(() => import('./pages/entity/entity.tsx'), 'EntityPage'),
  ),
  page(
    '/entities/$id/edit',
    lazyRouteComponent(() => import('./pages/entity/edit-entity.tsx'), 'EditEntity'),
  ),
  page(
    '/observables/$id',
    lazyRouteComponent(() => import('./pages/observable/observable.tsx'), 'ObservablePage'),
  ),
  page(
    '/graph',
    lazyRouteComponent(() => import('./pages/graph/graph.tsx'), 'GraphPage'),
  ),
  page(
    '/datasets',
    lazyRouteComponent(() => import('./pages/datasets/datasets.tsx'), 'Datasets'),
  ),
  page(
    '/datasets/$id',
    lazyRouteComponent(() => import('./pages/datasets/dataset.tsx'), 'DatasetPage'),
  ),
  page(
    '/dashboards',
    lazyRouteComponent(() => import('./pages/dashboards/dashboards.tsx'), 'Dashboards'),
  ),
  page(
    '/dashboards/$id',
    lazyRouteComponent(() => import('./pages/dashboards/dashboard.tsx'), 'DashboardPage'),
  ),
  page(
    '/workspaces',
    lazyRouteComponent(() => import('./pages/workspaces/workspaces.tsx'), 'Workspaces'),
  ),
  page(
    '/workspaces/$id',
    lazyRouteComponent(() => import('./pages/workspaces/workspace.tsx'), 'WorkspacePage'),
  ),
  page(
    '/tickets',
    lazyRouteComponent(() => import('./pages/tickets/tickets.tsx'), 'Tickets'),
  ),
  page(
    '/tickets/$id',
    lazyRouteComponent(() => import('./pages/tickets/ticket.tsx'), 'TicketPage'),
  ),
  page(
    '/files',
    lazyRouteComponent(() => import('./pages/files/files.tsx'), 'Files'),
  ),
  page(
    '/files/$id',
    lazyRouteComponent(() => import('./pages/files/file.tsx'), 'FilePage'),
  ),
  page(
    '/incoming-feeds',
    lazyRouteComponent(() => import('./pages/feeds/incoming-feeds.tsx'), 'IncomingFeeds'),
  ),
  page(
    '/incoming-feeds/$id',
    lazyRouteComponent(() => import('./pages/feeds/incoming-feed.tsx'), 'IncomingFeedPage'),
  ),
  page(
    '/outgoing-feeds',
    lazyRouteComponent(() => import('./pages/feeds/outgoing-feeds.tsx'), 'OutgoingFeeds'),
  ),
  page(
    '/outgoing-feeds/$id',
    lazyRouteComponent(() => import('./pages/feeds/outgoing-feed.tsx'), 'OutgoingFeedPage'),
  ),
  page(
    '/runs',
    lazyRouteComponent(() => import('./pages/runs/runs.tsx'), 'Runs'),
  ),
  page(
    '/runs/$id',
    lazyRouteComponent(() => import('./pages/runs/run.tsx'), 'RunPage'),
  ),
  page(
    '/admin',
    lazyRouteComponent(() => import('./pages/admin/admin.tsx'), 'Admin'),
  ),
  page(
    '/admin/$collection',
    lazyRouteComponent(() => import('./pages/admin/collection.tsx'), 'CollectionPage'),
  ),
  page(
    '/admin/$collection/$id',
    lazyRouteComponent(() => import('./pages/admin/object.tsx'), 'ObjectPage'),
  ),
]

/** Which page stands at which address; each is loaded when somebody first goes there. */
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
