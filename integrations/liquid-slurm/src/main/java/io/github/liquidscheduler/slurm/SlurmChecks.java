package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.slurm.SlurmCheck.Level;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import io.github.liquidscheduler.slurm.process.CommandRunner;
import io.github.liquidscheduler.slurm.process.CommandRunner.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks whether a Slurm is set up for the scheduler, and changes nothing. */
final class SlurmChecks {

  private static final List<String> KNOWN =
      List.of("22.05", "23.02", "23.11", "24.05", "24.11", "25.05", "25.11");

  private static final Pattern SETTING = Pattern.compile("^(\\S+)\\s+= (.*)$", Pattern.MULTILINE);

  private static final int CRED_EXPIRE_BY_DEFAULT = 120;

  private static final int CRED_EXPIRE_ADVISED = 15;

  private final SlurmConfig config;
  private final CommandRunner runner;
  private final String user;
  private final List<SlurmCheck> checks = new ArrayList<>();

  SlurmChecks(SlurmConfig config, CommandRunner runner, String user) {
    this.config = config;
    this.runner = runner;
    this.user = user;
  }

  /** Returns the settings that {@code scontrol show config} prints. */
  static Map<String, String> settings(String printed) {
    Map<String, String> settings = new TreeMap<>();
    Matcher setting = SETTING.matcher(printed);
    while (setting.find()) {
      settings.putIfAbsent(setting.group(1), setting.group(2).strip());
    }
    return settings;
  }

  List<SlurmCheck> look() throws IOException {
    requireFile();
    Map<String, String> settings =
        settings(run("scontrol", "show", "config").done("scontrol show config"));
    checkVersion(settings.getOrDefault("SLURM_VERSION", "unknown"));
    for (String partition : config.partitions()) {
      checkPartition(partition);
    }
    checkRights(settings.getOrDefault("SlurmUser", ""));
    checkOwnership(settings.getOrDefault("JobSubmitPlugins", "(null)"));
    checkCredentials(settings.getOrDefault("AuthInfo", ""));
    number(settings, "MinJobAge")
        .filter(age -> age < 60)
        .ifPresent(
            age ->
                add(
                    Level.ADVICE,
                    "MinJobAge is "
                        + age
                        + " s; at 60 or more ends of jobs are seen after a pause"));
    checkGpus();
    return List.copyOf(checks);
  }

  /** Slurm's commands wait for a file that is not there. */
  private void requireFile() throws IOException {
    Optional<Path> missing = config.slurmConf().filter(file -> !Files.isReadable(file));
    if (missing.isPresent()) {
      throw new IOException(
          "slurmConf must be a file that can be read, but '%s' is not".formatted(missing.get()));
    }
  }

  private void checkVersion(String version) {
    boolean isKnown = KNOWN.stream().anyMatch(version::startsWith);
    add(
        isKnown ? Level.GOOD : Level.ADVICE,
        "Slurm " + version + (isKnown ? "" : " is not one of the versions known: " + KNOWN));
  }

  private void checkPartition(String partition) throws IOException {
    Answer answer = run("scontrol", "show", "partition", partition);
    if (!answer.isDone()) {
      add(Level.PROBLEM, "partition '" + partition + "' does not exist: " + answer.said());
    } else {
      add(Level.GOOD, "partition '" + partition + "'");
      if (answer.output().contains("OverSubscribe=EXCLUSIVE")) {
        add(
            Level.ADVICE,
            "partition '%s' gives whole nodes (OverSubscribe=EXCLUSIVE): jobs there must ask for them by --exclusive"
                .formatted(partition));
      }
    }
  }

  private void checkRights(String slurmUser) throws IOException {
    String owner = slurmUser.replaceFirst("\\(.*", "");
    if (user.equals("root") || user.equals(owner)) {
      add(Level.GOOD, "runs as " + user);
      return;
    }
    Answer answer = run("sacctmgr", "-n", "-P", "show", "user", user, "format=adminlevel");
    boolean isOperator =
        answer.isDone() && answer.output().strip().matches("(?i)operator|administrator|admin");
    add(
        isOperator ? Level.GOOD : Level.PROBLEM,
        isOperator
            ? "runs as operator " + user
            : "runs as %s, who is neither SlurmUser (%s) nor an operator: it may not start jobs of others"
                .formatted(user, owner));
  }

  private void checkOwnership(String plugins) {
    boolean isActive = !plugins.equals("(null)") && !plugins.isBlank();
    if (config.ownership() == Ownership.HOLD) {
      add(
          Level.ADVICE,
          "ownership is hold: only jobs that are submitted by sbatch -H are started by Liquid");
    } else if (isActive) {
      add(Level.GOOD, "JobSubmitPlugins=" + plugins);
    } else {
      add(
          Level.PROBLEM,
          "JobSubmitPlugins is not set: jobs start by themselves. Install job_submit.lua, or set"
              + " ownership to hold");
    }
  }

  private void checkCredentials(String authInfo) {
    Matcher seconds = Pattern.compile("cred_expire=([0-9]{1,9})").matcher(authInfo);
    int expire = seconds.find() ? Integer.parseInt(seconds.group(1)) : CRED_EXPIRE_BY_DEFAULT;
    if (expire > CRED_EXPIRE_ADVISED) {
      add(
          Level.ADVICE,
          "AuthInfo has cred_expire=%d: a job that was stopped waits as long before it starts again. Set cred_expire=%d"
              .formatted(expire, CRED_EXPIRE_ADVISED));
    }
  }

  private void checkGpus() throws IOException {
    TreeSet<String> unknown = new TreeSet<>();
    for (SlurmRecord node : new SlurmCluster.Listing(runner).read()) {
      for (Tres each : Tres.list(node.text("gres"))) {
        String type = each.type().isEmpty() ? "gpu" : each.type();
        if (each.isGpu() && !config.gpuMemory().containsKey(type)) {
          unknown.add(type);
        }
      }
    }
    for (String type : unknown) {
      add(
          Level.ADVICE,
          "gpuMemory has no '%s': %s are assumed".formatted(type, SlurmConfig.UNKNOWN_GPU_MEMORY));
    }
  }

  private static Optional<Integer> number(Map<String, String> settings, String name) {
    Matcher number = Pattern.compile("^([0-9]{1,9})").matcher(settings.getOrDefault(name, ""));
    return number.find() ? Optional.of(Integer.parseInt(number.group(1))) : Optional.empty();
  }

  private Answer run(String... command) throws IOException {
    return runner.run(List.of(command)).answered(command[0]);
  }

  private void add(Level level, String line) {
    checks.add(new SlurmCheck(level, line));
  }
}
