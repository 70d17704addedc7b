import { Skeleton, Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/session.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { Consent } from './consent.tsx'
import { FeaturesForm } from './features-form.tsx'
import { ProviderCard } from './provider-card.tsx'
import { PROVIDERS } from './providers.ts'
import { aiRecordsQuery } from './records.ts'
import { UsageTab } from './usage-tab.tsx'

const TABS = [
  { name: 'providers', label: 'Providers' },
  { name: 'features', label: 'Features' },
  { name: 'usage', label: 'Usage' },
]

/** The administration of language models: providers, what they are used for, and what it costs. */
export function LanguageModels() {
  const may = useMay()
  const url = useUrlState()
  const mayRead = may('read configurations')
  const records = useQuery({ ...aiRecordsQuery, enabled: mayRead })
  if (!mayRead) return <NoPermission permission="read configurations" />
  const tab = TABS.find(({ name }) => name === url.get('tab'))?.name ?? 'providers'
  const { providers = [], features } = records.data ?? {}
  return (
    <>
      <PageHead
        title="Language models"
        description="Which providers are used for which features, what they may receive, and what they cost."
      />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => url.set({ tab: value === 'providers' ? null : value, from: null, to: null, by: null })}
      >
        <Tabs.List mb="md">
          {TABS.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <LoadFault query={records} />
        {records.isPending && <Skeleton height={320} />}
        {records.data && (
          <Tabs.Panel value={tab}>
            {tab !== 'usage' && <Consent />}
            {tab === 'providers' && (
              <Stack maw={960}>
                {PROVIDERS.map((kind) => {
                  const record = providers.find(({ type }) => type === kind.type)
                  return record && <ProviderCard key={kind.type} kind={kind} record={record} />
                })}
              </Stack>
            )}
            {tab === 'features' && features && (
              // A change by another administrator starts the form again.
              <FeaturesForm key={String(features.last_updated_at)} features={features} providers={providers} />
            )}
            {tab === 'usage' && <UsageTab providers={providers} />}
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  )
}
