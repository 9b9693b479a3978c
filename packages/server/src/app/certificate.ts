// The processor's certificate, if the settings name one: signs answers, and is replaced when its files change.
import { readValueOrFile, stampOf, type ValueOrFile } from '../certificate/certificate-files.ts';
import {
  type CertificateSource,
  createLookForCertificate,
} from '../certificate/follow-certificate.ts';
import { type ProcessorCertificate, readCertificate } from '../certificate/read-certificate.ts';
import { createTextSigner } from '../certificate/sign-text.ts';
import type { Config } from '../config/config.ts';
import { anAlarm, type NewAlarm } from '../domain/alarm/alarm.ts';
import type { ConditionStore } from '../domain/alarm/alarm-ports.ts';
import { certificateAlarm, type DatedCertificate } from '../domain/certificate/validity.ts';
import type { Clock } from '../domain/clock.ts';
import { dayOf } from '../domain/limit/day.ts';
import type { Signing } from '../http/opendsr/send-answer.ts';
import { reasonOf } from '../telemetry/http-log.ts';
import type { Log } from '../telemetry/log.ts';

export interface CertificateParts {
  readonly config: Config;
  readonly alarms: Pick<ConditionStore, 'raise'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly everyMs: number;
}

export interface OpenedCertificate {
  readonly signing: Signing;
  current(): DatedCertificate;
  /** Looks for changed files and at the expiry, periodically; returns a function that stops it. */
  follow(): () => void;
}

/** Throws `CertificateProblem`. One that has expired is reported, and used: nothing else would be better. */
export async function openCertificate(
  parts: CertificateParts,
): Promise<OpenedCertificate | undefined> {
  const { config, clock, log, everyMs } = parts;
  const source = certificateSource(config);
  if (source === undefined) return undefined;
  // Before the files are read: a change in between is then seen as one.
  const stamp = await source.stamp();
  let used = source.read();
  let signer = createTextSigner(used.key);
  const raise = createRaiseOnce(parts);
  let refusal: NewAlarm | undefined;
  let told = '';
  if (!config.publicUrl.startsWith('https:')) {
    log.warn(
      { public_url: config.publicUrl },
      'answers are signed, but public_url is not https: controllers fetch certificates by https only',
    );
  }

  const lookForFiles = createLookForCertificate(source, used, stamp, clock, {
    replaced(next) {
      used = next;
      signer = createTextSigner(next.key);
      refusal = undefined;
      log.info(shown(next), "the processor's certificate was replaced");
    },
    refused(problem) {
      const message = `the new certificate of the processor, or its key, cannot be used; the old one is kept: ${problem}`;
      log.error(shown(used), message);
      // One a day, whichever of the nodes sees it first.
      refusal = anAlarm('certificate_refused', `day ${dayOf(clock())}`, message, clock());
    },
  });

  async function look(): Promise<void> {
    try {
      await lookForFiles();
      const expiry = certificateAlarm(used, clock());
      // By each process, also where an earlier one has raised the alarm.
      if (expiry !== undefined && told !== `${expiry.subject} ${expiry.percent}`) {
        told = `${expiry.subject} ${expiry.percent}`;
        log.warn(shown(used), expiry.message);
      }
      await raise([expiry, refusal].filter((alarm) => alarm !== undefined));
    } catch (error) {
      log.error({ reason: reasonOf(error) }, "the processor's certificate could not be checked");
    }
  }

  await look();
  return {
    signing: {
      sign: (text, isRepeatable, done) => signer.sign(text, isRepeatable, done),
      pem: () => used.pem,
    },
    current: () => used,
    follow() {
      const timer = setInterval(() => void look(), everyMs).unref();
      return () => clearInterval(timer);
    },
  };
}

/** The pair that the settings name; undefined without one. */
export function certificateSource(config: Config): CertificateSource | undefined {
  const places = placesOf(config);
  return (
    places && {
      read: () =>
        readCertificate(
          {
            certificate: readValueOrFile(places.certificate, 'processor_certificate_file'),
            key: readValueOrFile(places.key, 'processor_key_file'),
          },
          config.domain,
        ),
      stamp: async () => (await Promise.all(Object.values(places).map(stampOf))).join(),
    }
  );
}

function placesOf(config: Config): Record<'certificate' | 'key', ValueOrFile> | undefined {
  const certificate = placeOf(config.processorCertificate, config.processorCertificateFile);
  const key = placeOf(config.processorKey, config.processorKeyFile);
  return certificate && key && { certificate, key };
}

function placeOf(value: string | undefined, file: string | undefined): ValueOrFile | undefined {
  if (value !== undefined) return { value };
  return file === undefined ? undefined : { file };
}

function shown({ subject, fingerprint, validTo }: ProcessorCertificate): object {
  return { subject, fingerprint, expires: new Date(validTo).toISOString() };
}

/** A later refusal for the same reason is another one. */
const nameOf = ({ kind, subject, percent, message }: NewAlarm) =>
  JSON.stringify([kind, subject, percent, kind === 'certificate_refused' ? message : '']);

/** While the store is away it fails, and the next look tries again. */
function createRaiseOnce({ alarms }: CertificateParts) {
  const raised = new Set<string>();
  return async (wanted: readonly NewAlarm[]): Promise<void> => {
    const fresh = wanted.filter((alarm) => !raised.has(nameOf(alarm)));
    if (fresh.length === 0) return;
    await alarms.raise(fresh);
    for (const alarm of fresh) raised.add(nameOf(alarm));
  };
}
