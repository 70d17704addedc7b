import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ATTACK_PACK, ATTACK_PACK_PERMISSIONS } from '../../../server/domain/attack-pack.ts'
import { call } from '../../api/call.ts'
import { listQuery } from '../../api/lists.ts'
import { queries } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { RunProgress } from '../../background/run-progress.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { showToast } from '../../ui/toasts.tsx'

const PACKS = 'knowledge-packs'

/** The query for groups. */
const GROUPS = 'data.type:intrusion-set'

interface Pack {
  readonly id: number
  readonly version: string
  readonly is_installed: boolean
}

/** Installs and uninstalls the groups, software and campaigns of ATT&CK. */
export function AttackPack() {
  const may = useMay()
  const canRead = may('read knowledge-packs')
  const list = useQuery({ ...listQuery<Pack>(PACKS, { 'filter[name]': ATTACK_PACK }), enabled: canRead })
  const installed = useMutation({
    mutationFn: () => call<{ data: { task_run: string | null } }>('POST', `${PACKS}/attack/install`, { data: {} }),
  })
  if (!canRead) return null
  if (list.error) return <LoadFault query={list} />
  if (!list.data) return null
  const pack = list.data.data.find(({ is_installed }) => is_installed)
  const run = installed.data?.data.task_run
  const mayInstall = ATTACK_PACK_PERMISSIONS.every(may)
  const renew = () => void queries.invalidateQueries()
  return (
    <Card
      title="Groups, software and campaigns"
      description={pack ? `Version ${pack.version} is installed` : 'Not installed'}
      actions={
        pack &&
        may('read entities') && (
          <>
            <PageLink to="/" search={{ q: GROUPS }}>
              Groups
            </PageLink>
            <PageLink to="/attack" search={{ query: GROUPS }}>
              Matrix
            </PageLink>
          </>
        )
      }
    >
      <Group gap="xs" justify="space-between">
        <Text size="xs" c="dimmed" flex="1 1 14rem" maw="100ch">
          The actors, malware and tools that ATT&CK describes, as entities that are classified with the techniques that
          they use. Names and ids come with Corvus; descriptions belong to the publisher, and come with official
          bundles.
        </Text>
        {mayInstall &&
          (pack ? (
            <Uninstall pack={pack} onDone={renew} />
          ) : (
            <Button
              variant="default"
              size="compact-sm"
              loading={installed.isPending}
              disabled={run !== undefined}
              onClick={() => installed.mutate()}
            >
              Install
            </Button>
          ))}
      </Group>
      <ErrorFaults error={installed.error} />
      {run && <RunProgress run={run} onEnded={renew} />}
    </Card>
  )
}

function Uninstall({ pack, onDone }: { readonly pack: Pack; readonly onDone: () => void }) {
  const uninstall = async () => {
    await call('POST', `${PACKS}/${pack.id}/uninstall`)
    showToast('Groups, software and campaigns were uninstalled')
    onDone()
  }
  return (
    <ConfirmButton
      label="Uninstall"
      title="Uninstall groups, software and campaigns?"
      confirm="Uninstall"
      onConfirm={uninstall}
      button={{ size: 'compact-sm', variant: 'default' }}
    >
      <Text size="sm">
        Entities that came only with the pack are deleted, with their relationships and what was added to them. You can
        install it again at any time.
      </Text>
    </ConfirmButton>
  )
}
