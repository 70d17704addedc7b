import { aiRoutes } from './ai/ai.ts'
import { aiOperations } from './ai/ai-routes.ts'
import { contentGenerationPrompts } from './ai/content-generation-prompts.ts'
import { organizationProfile } from './ai/relevancy/organization-profile.ts'
import { aggregationRoutes } from './analytics/aggregations/aggregations.ts'
import { dashboards } from './analytics/dashboards.ts'
import { searchFieldRoutes } from './analytics/search-fields/search-fields.ts'
import { widgets } from './analytics/widgets/widgets.ts'
import { attackAnalyses } from './attack/analyses/analyses.ts'
import { analysisRoutes } from './attack/analyses/analysis-routes.ts'
import { attackAnnotations } from './attack/analyses/annotations.ts'
import { importLayer } from './attack/analyses/import-layer.ts'
import { attacks } from './attack/attacks.ts'
import { attackClassification } from './attack/classification/texts/setting.ts'
import { attackDefenses } from './attack/defenses/attack-defenses.ts'
import { defenseInnerRelationships } from './attack/defenses/defense-inner-relationships.ts'
import { defenseRelationships } from './attack/defenses/defense-relationships.ts'
import { defenseStatuses } from './attack/defenses/defense-statuses.ts'
import { readLogSourceGains } from './attack/defenses/gains-route.ts'
import { logSources } from './attack/defenses/log-sources.ts'
import { heatRoutes } from './attack/heat/heat-routes.ts'
import { frameworkRoutes } from './attack/upgrades/framework-routes.ts'
import { consolidateRoutes } from './automation/consolidation/by-query/consolidate.ts'
import { listContributions } from './automation/consolidation/composing/contributions.ts'
import { consolidationEvents } from './automation/consolidation/events/events.ts'
import { consolidationRules } from './automation/consolidation/policies/policies.ts'
import { suggestionDecisions } from './automation/consolidation/suggestions/decide-suggestion.ts'
import { consolidationSuggestions } from './automation/consolidation/suggestions/suggestions.ts'
import { detonateByQuery } from './automation/detonators/detonations/by-query.ts'
import { detonations } from './automation/detonators/detonations/detonations.ts'
import { detonators } from './automation/detonators/detonators.ts'
import { readDetonatorLanes } from './automation/detonators/lane/lane-status.ts'
import { discoveryRules } from './automation/discovery-rules/discovery-rules.ts'
import { enricherDefinitions } from './automation/enrichers/enricher-definitions.ts'
import { enrichers } from './automation/enrichers/enrichers.ts'
import { enrichments } from './automation/enrichers/enrichments.ts'
import { readLaneStatus } from './automation/enrichers/lanes/lane-status.ts'
import { observableLinks } from './automation/enrichers/observable-links.ts'
import { enrichRunRoutes } from './automation/enrichers/runs/run-routes.ts'
import { enricherTables } from './automation/enrichers/tables/enricher-tables.ts'
import { enrichmentRules } from './automation/enrichment-rules/enrichment-rules.ts'
import { readPlaybookLanes } from './automation/playbooks/lane/lane-status.ts'
import { playbookRuns } from './automation/playbooks/playbook-runs.ts'
import { playbooks } from './automation/playbooks/playbooks.ts'
import { readFollowerStatus } from './background/followers/follower-status.ts'
import { taskRuns } from './background/task-runs.ts'
import { defineTasks } from './background/tasks.ts'
import { eventRoutes } from './changes/events/events.ts'
import { historyEvents } from './changes/history-events/history-events.ts'
import { webhooks } from './changes/webhooks/webhooks.ts'
import { tickets } from './collaboration/tickets.ts'
import { workspaces } from './collaboration/workspaces.ts'
import type { Collection } from './collections.ts'
import { compatibilityRoutes } from './compatibility.ts'
import { loadDemoData } from './demo/load-demo-data.ts'
import type { Resource } from './engine/definition.ts'
import type { Route } from './engine/route.ts'
import { routesOf } from './engine/routes.ts'
import { csvMappings } from './exchange/csv-mappings/csv-mappings.ts'
import { exportBlocks } from './exchange/export-blocks/export-blocks.ts'
import { exportRoutes } from './exchange/exporting/routes/exporting.ts'
import { files } from './exchange/files/files.ts'
import { knowledgePacks } from './exchange/knowledge-packs/knowledge-packs.ts'
import { contentBlocks } from './feeds/content-blocks/content-blocks.ts'
import { feedHealthRoutes } from './feeds/health/health-routes.ts'
import { incomingFeeds } from './feeds/incoming/incoming-feeds.ts'
import { outgoingFeeds } from './feeds/outgoing/outgoing-feeds.ts'
import { taxiiRoutes } from './feeds/taxii/taxii.ts'
import { followers } from './followers.ts'
import { graphRoutes } from './graph/graph.ts'
import { graphs } from './graph/graphs/graphs.ts'
import { defineSystemStatus } from './http/system-status.ts'
import { auditTrail, auditTrailRoutes } from './identity/audit-trail.ts'
import { groups } from './identity/groups.ts'
import { identityProviderMappings } from './identity/identity-provider-mappings.ts'
import { identityProviders } from './identity/identity-providers.ts'
import { guardedEmailSetting } from './identity/mail-server.ts'
import { notificationRoutes } from './identity/notifications.ts'
import { permissions } from './identity/permissions.ts'
import { roles } from './identity/roles.ts'
import { selfRoutes } from './identity/self.ts'
import { accountPolicy } from './identity/sign-in/account-policy.ts'
import { forgotPassword } from './identity/sign-in/forgot-password.ts'
import { sessionRoutes } from './identity/sign-in/session.ts'
import { signInWayRoutes } from './identity/sign-in/sign-in-ways.ts'
import { twoFactorRoutes } from './identity/sign-in/two-factor.ts'
import { identityRoutes } from './identity/single-sign-on/identities.ts'
import { openidRoutes } from './identity/single-sign-on/openid.ts'
import { singleSignOn } from './identity/single-sign-on-setting.ts'
import { sources } from './identity/sources.ts'
import { tokenRoutes } from './identity/token-routes.ts'
import { userIdentities } from './identity/user-identities.ts'
import { userRoutes } from './identity/user-routes.ts'
import { users } from './identity/users.ts'
import { attachments } from './intelligence/attachments/attachments.ts'
import { byQueryRoutes } from './intelligence/by-query/by-query.ts'
import { customAttributes } from './intelligence/custom-attributes/custom-attributes.ts'
import { datasets } from './intelligence/datasets/datasets.ts'
import { entities } from './intelligence/entities/entities.ts'
import { entityDefinitions } from './intelligence/entity-definitions/entity-definitions.ts'
import { entityRuleEffects } from './intelligence/entity-rules/entity-rule-effects.ts'
import { entityRules } from './intelligence/entity-rules/entity-rules.ts'
import { exclusionLists } from './intelligence/exclusion-lists.ts'
import { listVerdicts } from './intelligence/observables/list-verdicts.ts'
import { lookUpObservables } from './intelligence/observables/look-up-observables.ts'
import { observables } from './intelligence/observables/observables.ts'
import { savedQueries } from './intelligence/queries/saved-queries.ts'
import { entityReferences } from './intelligence/references/entity-references.ts'
import { relationships } from './intelligence/relationships/relationships.ts'
import { tagRoutes } from './intelligence/tags/tags.ts'
import { taxonomies } from './intelligence/taxonomies/taxonomies.ts'
import { mails } from './mail/mails.ts'
import { testMail } from './mail/test-mail.ts'
import { retentionPolicies } from './retention/retention-policies.ts'
import { bundleProducer } from './settings/bundle-producer.ts'
import { configurationRoutes } from './settings/configuration.ts'
import { configurationBundleProducers } from './settings/configuration-bundle-producers.ts'
import { coverPage } from './settings/cover-page.ts'
import { defaultValues } from './settings/default-values.ts'
import { intelReport } from './settings/intel-report.ts'
import { license } from './settings/license.ts'
import { privateKey, privateKeyRoutes } from './settings/private-key.ts'
import { publicKeys } from './settings/public-keys.ts'
import { serverSetting } from './settings/server.ts'
import { type Setting, settingRoutes } from './settings/setting.ts'
import { stix } from './settings/stix.ts'
import { taskTypes } from './tasks.ts'
import { textAnalysisRoutes } from './text-analysis/text-analysis.ts'

/** Every resource of the API. */
export const resources: readonly Resource[] = [
  users,
  groups,
  roles,
  permissions,
  sources,
  workspaces,
  tickets,
  defineTasks(taskTypes),
  taskRuns,
  entities,
  attachments,
  observables,
  relationships,
  files,
  taxonomies,
  attacks,
  attackAnalyses,
  attackAnnotations,
  attackDefenses,
  defenseRelationships,
  defenseInnerRelationships,
  defenseStatuses,
  logSources,
  datasets,
  discoveryRules,
  entityRules,
  entityRuleEffects,
  savedQueries,
  graphs,
  dashboards,
  widgets,
  auditTrail,
  historyEvents,
  webhooks,
  retentionPolicies,
  mails,
  contentGenerationPrompts,
  configurationBundleProducers,
  customAttributes,
  entityDefinitions,
  csvMappings,
  exclusionLists,
  identityProviders,
  identityProviderMappings,
  userIdentities,
  knowledgePacks,
  exportBlocks,
  incomingFeeds,
  outgoingFeeds,
  contentBlocks,
  enrichers,
  enricherDefinitions,
  enricherTables,
  enrichments,
  enrichmentRules,
  detonators,
  detonations,
  observableLinks,
  consolidationRules,
  consolidationEvents,
  consolidationSuggestions,
  playbooks,
  playbookRuns,
]

/** Every configuration record. */
export const settings: readonly Setting[] = [
  accountPolicy,
  serverSetting,
  guardedEmailSetting,
  privateKey,
  publicKeys,
  intelReport,
  organizationProfile,
  attackClassification,
  license,
  stix,
  bundleProducer,
  defaultValues,
  coverPage,
  singleSignOn,
]

/** Every endpoint that is not an operation of a resource. */
export const actions: readonly Route[] = [
  ...sessionRoutes,
  ...signInWayRoutes,
  ...openidRoutes,
  ...identityRoutes,
  ...selfRoutes,
  ...twoFactorRoutes,
  ...tokenRoutes,
  forgotPassword,
  ...notificationRoutes,
  testMail,
  ...privateKeyRoutes,
  ...userRoutes,
  ...tagRoutes,
  ...aggregationRoutes,
  ...searchFieldRoutes,
  ...frameworkRoutes,
  ...heatRoutes,
  importLayer,
  readLogSourceGains,
  lookUpObservables,
  listVerdicts,
  ...byQueryRoutes,
  ...consolidateRoutes,
  ...enrichRunRoutes,
  detonateByQuery,
  ...suggestionDecisions,
  ...exportRoutes,
  ...graphRoutes,
  ...analysisRoutes,
  entityReferences,
  ...auditTrailRoutes,
  ...eventRoutes,
  ...feedHealthRoutes,
  loadDemoData,
  defineSystemStatus({
    followers: ({ db }) => readFollowerStatus(db, followers),
    enrichers: ({ db }) => readLaneStatus(db),
    detonators: (ctx) => readDetonatorLanes(ctx),
    playbooks: ({ db }) => readPlaybookLanes(db),
  }),
  listContributions,
  ...compatibilityRoutes,
  ...taxiiRoutes,
]

/** Every endpoint of the API. */
export const routes: readonly Route[] = [
  ...actions,
  ...settings.flatMap(settingRoutes),
  // A license belongs to one installation.
  ...configurationRoutes(settings.filter((setting) => setting !== license)),
  ...aiRoutes,
  ...aiOperations,
  ...textAnalysisRoutes,
  ...resources.flatMap((resource) => routesOf(resource)),
]

export const resourceMap: ReadonlyMap<Collection, Resource> = new Map(
  resources.map((resource) => [resource.collection, resource]),
)
