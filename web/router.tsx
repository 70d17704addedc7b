import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { Entrance } from './entrance.tsx'
import { BrokenPage } from './shell/broken-page.tsx'
import { lazyPage } from './shell/lazy-page.ts'
import { NotFound } from './shell/not-found.tsx'

const root = createRootRoute({ component: Entrance, notFoundComponent: NotFound })

type Search = Record<string, unknown>

/** A page at a path; each page validates its own query parameters. */
const page = <const P extends string>(path: P, component: ReturnType<typeof lazyPage>) =>
  createRoute({ getParentRoute: () => root, path, component, validateSearch: (search: Search): Search => search })

const pages = [
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
    lazyPage(() => import('./automation/panel/file-page.tsx'), 'FileWithDetonations'),
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
    '/automation',
    lazyPage(() => import('./automation/overview/overview.tsx'), 'AutomationOverview'),
  ),
  page(
    '/entity-rules',
    lazyPage(() => import('./automation/rules/entity-rules.tsx'), 'EntityRules'),
  ),
  page(
    '/entity-rules/new',
    lazyPage(() => import('./automation/rules/entity-rule-form.tsx'), 'NewEntityRule'),
  ),
  page(
    '/entity-rules/$id',
    lazyPage(() => import('./automation/rules/entity-rule-page.tsx'), 'EntityRulePage'),
  ),
  page(
    '/entity-rules/$id/edit',
    lazyPage(() => import('./automation/rules/entity-rule-form.tsx'), 'EditEntityRule'),
  ),
  page(
    '/discovery-rules',
    lazyPage(() => import('./automation/discovery/discovery-rules.tsx'), 'DiscoveryRules'),
  ),
  page(
    '/discovery-rules/new',
    lazyPage(() => import('./automation/discovery/discovery-form.tsx'), 'NewDiscoveryRule'),
  ),
  page(
    '/discovery-rules/$id',
    lazyPage(() => import('./automation/discovery/discovery-rule-page.tsx'), 'DiscoveryRulePage'),
  ),
  page(
    '/discovery-rules/$id/edit',
    lazyPage(() => import('./automation/discovery/discovery-form.tsx'), 'EditDiscoveryRule'),
  ),
  page(
    '/enrichers',
    lazyPage(() => import('./automation/enrichers/enrichers.tsx'), 'Enrichers'),
  ),
  page(
    '/enrichers/$id',
    lazyPage(() => import('./automation/enrichers/enricher.tsx'), 'EnricherPage'),
  ),
  page(
    '/enrichers/tables',
    lazyPage(() => import('./automation/enrichers/tables.tsx'), 'EnricherTables'),
  ),
  page(
    '/enrichers/definitions',
    lazyPage(() => import('./automation/enrichers/definitions.tsx'), 'EnricherDefinitions'),
  ),
  page(
    '/detonators',
    lazyPage(() => import('./automation/detonators/detonators.tsx'), 'Detonators'),
  ),
  page(
    '/detonators/$id',
    lazyPage(() => import('./automation/detonators/detonator.tsx'), 'DetonatorPage'),
  ),
  page(
    '/detonations',
    lazyPage(() => import('./automation/detonations/detonations.tsx'), 'Detonations'),
  ),
  page(
    '/detonations/$id',
    lazyPage(() => import('./automation/detonations/detonation.tsx'), 'DetonationPage'),
  ),
  page(
    '/enrichment-rules',
    lazyPage(() => import('./automation/enrichment-rules/enrichment-rules.tsx'), 'EnrichmentRules'),
  ),
  page(
    '/enrichment-rules/new',
    lazyPage(() => import('./automation/enrichment-rules/rule-form.tsx'), 'NewEnrichmentRule'),
  ),
  page(
    '/enrichment-rules/$id/edit',
    lazyPage(() => import('./automation/enrichment-rules/rule-form.tsx'), 'EditEnrichmentRule'),
  ),
  page(
    '/enrichment-rules/$id',
    lazyPage(() => import('./automation/enrichment-rules/enrichment-rule.tsx'), 'EnrichmentRulePage'),
  ),
  page(
    '/playbooks',
    lazyPage(() => import('./automation/playbooks/playbooks.tsx'), 'Playbooks'),
  ),
  page(
    '/playbooks/templates',
    lazyPage(() => import('./automation/playbooks/templates.tsx'), 'PlaybookTemplates'),
  ),
  page(
    '/playbooks/new',
    lazyPage(() => import('./automation/playbooks/editor/playbook-form.tsx'), 'NewPlaybook'),
  ),
  page(
    '/playbooks/$id',
    lazyPage(() => import('./automation/playbooks/playbook-page.tsx'), 'PlaybookPage'),
  ),
  page(
    '/playbooks/$id/edit',
    lazyPage(() => import('./automation/playbooks/editor/playbook-form.tsx'), 'EditPlaybook'),
  ),
  page(
    '/playbooks/$id/runs/$run',
    lazyPage(() => import('./automation/playbooks/runs/run-page.tsx'), 'PlaybookRunPage'),
  ),
  page(
    '/consolidation-rules',
    lazyPage(() => import('./automation/consolidation/policies.tsx'), 'Policies'),
  ),
  page(
    '/consolidation-rules/new',
    lazyPage(() => import('./automation/consolidation/policy-form.tsx'), 'NewPolicy'),
  ),
  page(
    '/consolidation-rules/$id',
    lazyPage(() => import('./automation/consolidation/policy-page.tsx'), 'PolicyPage'),
  ),
  page(
    '/consolidation-rules/$id/edit',
    lazyPage(() => import('./automation/consolidation/policy-form.tsx'), 'EditPolicy'),
  ),
  page(
    '/consolidation-suggestions',
    lazyPage(() => import('./automation/consolidation/suggestions.tsx'), 'Suggestions'),
  ),
  page(
    '/consolidation-events',
    lazyPage(() => import('./automation/consolidation/events.tsx'), 'ConsolidationEvents'),
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
