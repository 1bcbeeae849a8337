import { mcpConnectionStep, mcpHealthStep, serenaDetectionStep } from "./_client_steps.ts";
import { envReferenceStep } from "./_env_step.ts";
import { artifactIntegrityStep, corePresentStep, platformStep } from "./_machine_steps.ts";
import {
  gitignoreStep,
  initialIndexStep,
  migrationsValidStep,
  projectLayoutStep,
  projectRegisteredStep,
} from "./_project_steps.ts";
import { daemonRunningStep, daemonServiceStep, singleInstanceStep } from "./_service_steps.ts";
import {
  dataDirectoryStep,
  servingProfileStep,
  tokenStep,
  tokenStorageStep,
} from "./_token_steps.ts";
import type { SetupStep } from "./setup_step.ts";

/** All steps in the order of the contract (daemon-and-setup.md 7.3). */
export const STEPS: readonly SetupStep[] = [
  platformStep,
  corePresentStep,
  artifactIntegrityStep,
  dataDirectoryStep,
  tokenStep,
  tokenStorageStep,
  servingProfileStep,
  envReferenceStep,
  daemonServiceStep,
  daemonRunningStep,
  singleInstanceStep,
  projectRegisteredStep,
  projectLayoutStep,
  gitignoreStep,
  mcpConnectionStep,
  mcpHealthStep,
  migrationsValidStep,
  initialIndexStep,
  serenaDetectionStep,
];
