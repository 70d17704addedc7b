import type { Page } from 'playwright-core'

export const stageOf = (page: Page) => page.getByRole('application', { name: 'Graph' })

/** Waits until this many nodes are shown and the layout has settled. */
export const settled = (page: Page, nodes: number) =>
  page.locator(`[role=application][data-nodes="${nodes}"][data-settled=true]`).waitFor()

/** Selects a node in the list and shows its details. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: 'List' }).click()
  await page.getByRole('list', { name: 'Nodes' }).getByRole('button', { name }).first().click()
  await page.getByRole('tab', { name: 'Details' }).click()
}

export async function expand(page: Page, group: string): Promise<void> {
  await page.getByRole('button', { name: 'Expand', exact: true }).click()
  await page.getByRole('menuitem', { name: group }).click()
}
