import { createRouter } from '@tanstack/react-router'
import { automationPages } from './automation-pages.ts'
import { page, root } from './page.ts'
import { BrokenPage } from './shell/broken-page.tsx'
import { lazyPage } from './shell/lazy-page.ts'

const pages = [
  ...automationPages,
  page(
    '/',
    lazyPage(() => import('./automation/panel/search-page.tsx'), 'SearchWithEnrichment'),
  ),
  page(
    '/profile',
    lazyPage(() => import('./identity/profile/profile.tsx'), 'Profile'),
  ),
  page(
    '/entities/new',
    lazyPage(() => import('./intelligence/entity/new-entity.tsx'), 'NewEntity'),
  ),
  page(
    '/entities/$id',
    lazyPage(() => import('./automation/panel/entity-page.tsx'), 'EntityWithEnrichment'),
  ),
  page(
    '/entities/$id/edit',
    lazyPage(() => import('./intelligence/entity/edit-entity.tsx'), 'EditEntity'),
  ),
  page(
    '/entities/$id/compare',
    lazyPage(() => import('./intelligence/contributors/compare.tsx'), 'Compare'),
  ),
  page(
    '/observables/$id',
    lazyPage(() => import('./automation/panel/observable-page.tsx'), 'ObservableWithEnrichment'),
  ),
  page(
    '/graph',
    lazyPage(() => import('./automation/panel/graph-page.tsx'), 'GraphWithEnrichment'),
  ),
  page(
    '/datasets',
    lazyPage(() => import('./intelligence/datasets/datasets.tsx'), 'Datasets'),
  ),
  page(
    '/datasets/$id',
    lazyPage(() => import('./automation/panel/dataset-page.tsx'), 'DatasetWithMenu'),
  ),
  page(
    '/dashboards',
    lazyPage(() => import('./analytics/dashboards.tsx'), 'Dashboards'),
  ),
  page(
    '/dashboards/$id',
    lazyPage(() => import('./automation/panel/dashboard-page.tsx'), 'DashboardWithEnrichment'),
  ),
  page(
    '/workspaces',
    lazyPage(() => import('./collaboration/workspaces/workspaces.tsx'), 'Workspaces'),
  ),
  page(
    '/workspaces/$id',
    lazyPage(() => import('./ai/summaries/workspace-page.tsx'), 'WorkspaceWithMenu'),
  ),
  page(
    '/content-generation',
    lazyPage(() => import('./ai/summaries/content/content-page.tsx'), 'ContentPage'),
  ),
  page(
    '/tickets',
    lazyPage(() => import('./collaboration/tickets/tickets.tsx'), 'Tickets'),
  ),
  page(
    '/tickets/$id',
    lazyPage(() => import('./collaboration/tickets/ticket.tsx'), 'TicketPage'),
  ),
  page(
    '/files',
    lazyPage(() => import('./exchange/files.tsx'), 'Files'),
  ),
  page(
    '/files/$id',
    lazyPage(() => import('./automation/panel/file-page.tsx'), 'FileWithAutomation'),
  ),
  page(
    '/incoming-feeds',
    lazyPage(() => import('./feeds/incoming-feeds.tsx'), 'IncomingFeeds'),
  ),
  page(
    '/incoming-feeds/$id',
    lazyPage(() => import('./feeds/incoming-feed.tsx'), 'IncomingFeedPage'),
  ),
  page(
    '/outgoing-feeds',
    lazyPage(() => import('./feeds/outgoing-feeds.tsx'), 'OutgoingFeeds'),
  ),
  page(
    '/outgoing-feeds/$id',
    lazyPage(() => import('./feeds/outgoing-feed.tsx'), 'OutgoingFeedPage'),
  ),
  page(
    '/attack',
    lazyPage(() => import('./attack/matrix/matrix-page.tsx'), 'Matrix'),
  ),
  page(
    '/attack/analyses',
    lazyPage(() => import('./attack/analyses/analyses.tsx'), 'Analyses'),
  ),
  page(
    '/attack/analyses/$id',
    lazyPage(() => import('./attack/analyses/analysis-page.tsx'), 'AnalysisPage'),
  ),
  page(
    '/attack/gaps',
    lazyPage(() => import('./attack/gaps/gaps.tsx'), 'Gaps'),
  ),
  page(
    '/attack/defenses',
    lazyPage(() => import('./attack/defenses/defenses.tsx'), 'Defenses'),
  ),
  page(
    '/attack/defenses/$id',
    lazyPage(() => import('./attack/defenses/defense-page.tsx'), 'DefensePage'),
  ),
  page(
    '/attack/log-sources',
    lazyPage(() => import('./attack/defenses/log-sources.tsx'), 'LogSources'),
  ),
  page(
    '/attack/frameworks',
    lazyPage(() => import('./attack/frameworks/frameworks.tsx'), 'Frameworks'),
  ),
  page(
    '/attack/frameworks/$id',
    lazyPage(() => import('./attack/frameworks/load-page.tsx'), 'LoadPage'),
  ),
  page(
    '/attack/reviews',
    lazyPage(() => import('./attack/frameworks/reviews.tsx'), 'Reviews'),
  ),
  page(
    '/runs',
    lazyPage(() => import('./background/runs.tsx'), 'Runs'),
  ),
  page(
    '/runs/$id',
    lazyPage(() => import('./automation/panel/run-page.tsx'), 'RunWithOutcome'),
  ),
  page(
    '/admin',
    lazyPage(() => import('./administration/admin.tsx'), 'Admin'),
  ),
  page(
    '/admin/language-models',
    lazyPage(() => import('./settings/ai/language-models.tsx'), 'LanguageModels'),
  ),
  page(
    '/admin/$collection',
    lazyPage(() => import('./administration/collection.tsx'), 'CollectionPage'),
  ),
  page(
    '/admin/$collection/$id',
    lazyPage(() => import('./administration/object.tsx'), 'ObjectPage'),
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
