import { sql } from 'kysely'
import type { Condition } from '../engine/definition.ts'
import { resourceOf, visible } from '../engine/select.ts'

/**
 * Whether the caller can see the task at an alias. The task of a discovery rule is visible to those who can see the rule; users who manage
 * tasks see all of them.
 */
export const isTaskSeen: Condition = (ctx, t) => {
  if (ctx.caller.permissions.has('modify tasks')) return sql`true`
  return sql`(
    not (${sql.ref(`${t}.is_owned`)} and ${sql.ref(`${t}.type`)} = 'discovery-rule')
    or exists (
      select from discovery_rules as rule
      where rule.task = ${sql.ref(`${t}.id`)} and ${visible(ctx, resourceOf(ctx, 'discovery_rules'), 'rule')}))`
}

/** Whether the caller can see the task run at an alias, that is, its task. */
export const isRunSeen: Condition = (ctx, t) =>
  ctx.caller.permissions.has('modify tasks')
    ? sql`true`
    : sql`exists (select from tasks as about where about.id = ${sql.ref(`${t}.task`)} and ${isTaskSeen(ctx, 'about')})`
