import { page } from './page.ts'
import { lazyPage } from './shell/lazy-page.ts'

/** The pages of rules, enrichers, detonators, playbooks and consolidation. */
export const automationPages = [
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
]
