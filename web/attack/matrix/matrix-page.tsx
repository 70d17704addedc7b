import { Skeleton, Stack } from '@mantine/core'
import { useMay } from '../../api/session.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { AttackTabs } from '../attack-tabs.tsx'
import { ScopeBar, useScope } from '../scope-bar.tsx'
import { ClassifyPage } from './classify-page.tsx'
import { HeatBoard } from './heat-board.tsx'

/** The matrix of an attack framework, with what is known about each technique. */
export function Matrix() {
  const may = useMay()
  const classified = useUrlState().get('classify')
  const lacking = ['read attack', 'read entities'].find((permission) => !may(permission))
  return (
    <>
      <AttackTabs />
      {lacking ? (
        <>
          <PageHead title="Matrix" />
          <NoPermission permission={lacking} />
        </>
      ) : classified === '' ? (
        <Page />
      ) : (
        <ClassifyPage key={classified} id={classified} />
      )}
    </>
  )
}

function Page() {
  const { scope, analysis, parameters, set } = useScope()
  const matrix = String(parameters?.matrix ?? scope.matrix)
  return (
    <>
      <PageHead title="Matrix" />
      <Stack gap="sm">
        <ScopeBar scope={scope} matrix={matrix} onChange={set} />
        <LoadFault query={analysis} />
        {parameters ? (
          <HeatBoard
            matrix={matrix}
            parameters={parameters}
            analysis={scope.kind === 'analysis' ? analysis.data?.id : undefined}
          />
        ) : (
          !analysis.error && <Skeleton h={480} role="status" aria-label="Loading analysis" />
        )}
      </Stack>
    </>
  )
}
