import { listOf } from './lists.ts'

// Every list begins with the common words, which are taken more often.

/** Nouns: the means and traces of attacks. */
export const NOUNS = listOf(`
  server, payload, document, domain, account, loader, backdoor, certificate, mailbox, archive, script, host, sample,
  credential, session, process, service, registry key, scheduled task, proxy, network, attachment, link, installer,
  browser, database, gateway, controller, webshell, implant, module, library, macro, shortcut, token, cookie, password,
  configuration, beacon, tunnel, firewall, router, workstation, laptop, endpoint, directory, share, backup, snapshot,
  container, cluster, bucket, pipeline, repository, package, dependency, plugin, extension, driver, bootloader, kernel,
  hypervisor, appliance, sensor, printer, camera, terminal, kiosk, badge, invoice, contract, spreadsheet, presentation,
  newsletter, advertisement, forum, marketplace, channel, wallet, exchange, ledger, transaction, ransom note, leak site,
  countdown, negotiation, affiliate, broker, reseller, operator, developer, administrator, contractor, supplier, customer,
  subsidiary, ministry, embassy, refinery, substation, pipeline valve, turbine, railway, harbour, airport, hospital,
  laboratory, university, newsroom, parliament, courthouse, warehouse, retailer, insurer, pension fund, brokerage,
  telephone exchange, satellite link, fibre ring, datacentre, resolver, registrar, mail relay, load balancer, watermark,
  fingerprint, checksum, mutex, named pipe, heartbeat, handshake, cipher, nonce, keystroke, clipboard, screenshot,
  microphone, wiper, dropper, stager, packer, crypter, botnet, sinkhole, honeypot, decoy, canary, playbook, timeline,
  hypothesis, dossier, briefing, advisory, bulletin, patch, hotfix, changelog, firmware image, bootstrap, fallback list,
  seed value, magic byte, resource section, import table, export name, debug string, build path, compiler stamp`)

/** Adjectives. */
export const ADJECTIVES = listOf(`
  new, known, malicious, encrypted, legitimate, compromised, remote, suspicious, public, internal, custom, hidden, signed,
  external, infected, shared, privileged, stolen, obfuscated, targeted, modified, small, second, additional, similar,
  persistent, temporary, dedicated, forged, expired, exposed, vulnerable, outdated, unsigned, automated, manual, regional,
  foreign, dormant, inactive, rotating, disposable, hardcoded, embedded, compressed, fragmented, layered, modular,
  lightweight, bespoke, commodity, open source, leaked, cracked, trojanised, sideloaded, reflective, fileless, polymorphic,
  noisy, stealthy, patient, opportunistic, sophisticated, amateurish, careless, disciplined, unusual, rare, recurring,
  sporadic, seasonal, nightly, short-lived, long-running, abandoned, repurposed, parked, typosquatted, lookalike, cloned,
  defaced, misconfigured, orphaned, unmonitored, segmented, air-gapped, virtual, physical, industrial, academic, diplomatic,
  military, financial, municipal, humanitarian, maritime, agricultural, pharmaceutical, experimental, deprecated, mirrored,
  throttled, chunked, salted, truncated, malformed, padded, interleaved, timestomped, whitelisted, greylisted, quarantined,
  redacted, corroborated, disputed, retracted, preliminary, anecdotal, circumstantial, verifiable, plausible, implausible`)

/** Verbs in the past tense, with one object. */
export const PAST = listOf(`
  used, deployed, delivered, targeted, exploited, compromised, downloaded, encrypted, collected, modified, registered,
  installed, abused, reused, replaced, dropped, executed, launched, contacted, infected, scanned, disabled, removed,
  staged, exfiltrated, harvested, uploaded, created, altered, probed, enumerated, mapped, hijacked, spoofed, forged,
  impersonated, injected, patched, unpacked, decrypted, tampered with, sideloaded, abandoned, rotated, rebuilt, repackaged,
  rebranded, rented, leased, purchased, advertised, resold, leaked, published, wiped, erased, corrupted, throttled,
  tunnelled through, pivoted through, brute-forced, sprayed, phished, lured, coerced, bribed, recruited, surveilled,
  fingerprinted, geofenced, quarantined, sinkholed, seized, dismantled, cloned, mirrored, obfuscated, compressed, archived,
  renamed, relocated, masqueraded as, chained, weaponised, trojanised, backdoored, rooted, unlocked, defaced`)

/** Verbs in the infinitive, with one object. */
export const INFINITIVES = listOf(`
  reach, collect, encrypt, control, monitor, steal, access, hide, disable, execute, download, replace, keep, read, copy,
  escalate from, move beyond, infect, destroy, extort, map, exfiltrate, compromise, impersonate, intercept, decrypt, bypass,
  evade, tamper with, manipulate, enumerate, harvest, monetise, sabotage, surveil, discredit, embarrass, blackmail, cripple,
  isolate, outlast, saturate, poison, redirect, hijack, clone, resell, launder, laterally reach, pre-position for`)

/** Adverbs. */
export const ADVERBS = listOf(`
  later, also, repeatedly, quickly, often, mostly, initially, probably, silently, manually, remotely, successfully,
  occasionally, gradually, briefly, immediately, apparently, deliberately, consistently, simultaneously, previously,
  periodically, selectively, carefully, openly, covertly, rarely, steadily, unexpectedly, reportedly, allegedly, partially,
  intermittently, methodically, hastily, opportunistically, meticulously, sporadically, conspicuously, inadvertently`)
