import { Button, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { AttackTabs } from '../attack-tabs.tsx'
import { DEFAULT_MATRIX } from '../matrices.ts'
import { AttackPack } from './attack-pack.tsx'
import { ChooseVersion } from './choose-version.tsx'
import { frameworksQuery } from './framework.ts'
import { FrameworkCard } from './framework-card.tsx'
import { LoadHistory } from './load-history.tsx'

/** The attack frameworks in the versions that are stored here, and what was loaded before. */
export function Frameworks() {
  const may = useMay()
  const canRead = may('read attack')
  const mayChange = may('modify attack')
  const url = useUrlState()
  const list = useQuery({ ...frameworksQuery, enabled: canRead })
  const frameworks = list.data?.data
  // In the URL, so that the palette can link to it.
  const opened = url.get('load')
  const open = (matrix: string | null) => url.set({ load: matrix }, true)
  return (
    <>
      <AttackTabs />
      <PageHead
        title="Frameworks"
        description="The versions of ATT&CK and DISARM that classifications, defenses and analyses refer to."
        actions={
          canRead &&
          mayChange && (
            <Button leftSection={<Icon name="upload" />} onClick={() => open(DEFAULT_MATRIX)}>
              Load another version
            </Button>
          )
        }
      />
      {canRead ? (
        <Stack gap="lg">
          <LoadFault query={list} />
          {list.isPending && <Skeleton h={320} role="status" aria-label="Loading frameworks" />}
          {frameworks && (
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
              {frameworks.map((framework) => (
                <FrameworkCard
                  key={framework.matrix}
                  framework={framework}
                  {...(mayChange && { onLoad: () => open(framework.matrix) })}
                />
              ))}
            </SimpleGrid>
          )}
          <AttackPack />
          <Stack gap="xs">
            <Title order={2} size="h3">
              History
            </Title>
            <LoadHistory />
          </Stack>
        </Stack>
      ) : (
        <NoPermission permission="read attack" />
      )}
      {mayChange && frameworks && opened !== '' && (
        <ChooseVersion frameworks={frameworks} matrix={opened} onClose={() => open(null)} />
      )}
    </>
  )
}
