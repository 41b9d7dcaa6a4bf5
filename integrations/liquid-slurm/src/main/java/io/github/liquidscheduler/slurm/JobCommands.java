package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.formats.slurm.HostList;
import io.github.liquidscheduler.reconcile.Command;
import io.github.liquidscheduler.reconcile.Confirmation;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import io.github.liquidscheduler.slurm.process.CommandRunner;
import io.github.liquidscheduler.slurm.process.CommandRunner.Answer;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Carries out commands, each by one or two processes. A text is one argument of a process of its
 * own, for {@code scontrol} keeps the quotes of what it reads from its standard input.
 *
 * @param jobs the jobs that were last observed, by their ids
 * @param written takes the administrator's comments that were written, by the job
 * @param same tells whether a job that is written to is still the one that was observed
 */
record JobCommands(
    CommandRunner runner,
    SlurmConfig config,
    Map<String, ListedJob> jobs,
    Map<String, String> written,
    SameJobs same) {

  private static final String SCONTROL = "scontrol";

  /** The begin time of a job that waits for the scheduler, in UTC. */
  private static final String WAIT = "StartTime=2040-01-01T00:00:00";

  /** A node that has just ended an earlier attempt refuses the next one within that second. */
  private static final String SOON = "now+2";

  /** The words of an update that changes nothing. */
  private static final int UPDATE_WORDS = 3;

  private static final Pattern COMMENT =
      Pattern.compile("^\\s+AdminComment=(.*)$", Pattern.MULTILINE);

  private static final Pattern USERS_COMMENT =
      Pattern.compile("^\\s+Comment=(.*)$", Pattern.MULTILINE);

  private static final Pattern STATE = Pattern.compile("^\\s+JobState=(\\S+)", Pattern.MULTILINE);

  private static final Pattern NODES = Pattern.compile("^\\s+NodeList=(\\S+)", Pattern.MULTILINE);

  private static final Pattern SUBMITTED =
      Pattern.compile("^\\s+SubmitTime=(\\S+)", Pattern.MULTILINE);

  private static final Pattern RESTARTS =
      Pattern.compile("^\\s+Requeue=\\S+ Restarts=([0-9]+)", Pattern.MULTILINE);

  /**
   * Carries out one command.
   *
   * @throws IOException if it is not known whether it was carried out
   */
  Confirmation carryOut(Command command) throws IOException {
    String id = command.job().value();
    Optional<String> refused =
        switch (command) {
          case Command.Start start -> start(id, start);
          case Command.Stop stop -> stop(id, stop);
          case Command.Hold hold -> {
            Optional<String> other = same.refusal(id);
            yield other.isPresent() ? other : refusal(hold(id));
          }
          case Command.Explain explain -> comment(id, explain.text());
          case Command.Refuse refuse -> comment(id, "never: " + refuse.text());
          case Command.GiveUp giveUp -> giveUp(id, giveUp.text());
        };
    return new Confirmation(command, refused);
  }

  private Optional<String> start(String id, Command.Start start) throws IOException {
    List<String> nodes =
        start.placement().tasks().stream()
            .map(TaskPlacement::node)
            .distinct()
            .map(node -> node.value())
            .toList();
    @Nullable ListedJob job = jobs.get(id);
    if (job == null) {
      return Optional.of("Slurm does not show it");
    }
    long attempt = job.line().number(JobLine.Column.RESTARTS);
    if (attempt != start.attempt()) {
      return Optional.of("it is in attempt %d, not %d".formatted(attempt, start.attempt()));
    }
    Optional<String> other = same.refusal(id);
    if (other.isPresent()) {
      return other;
    }
    String comment = job.adminComment().withRequired(HostList.fold(job.required())).with("");
    Answer answer =
        run(
            List.of(
                SCONTROL,
                "update",
                "JobId=" + id,
                "ReqNodeList=" + HostList.fold(nodes),
                "NumNodes=%1$d-%1$d".formatted(nodes.size()),
                "StartTime=" + (attempt == 0 ? "now" : SOON),
                "AdminComment=" + comment));
    if (answer.isDone()) {
      written.put(id, comment);
    }
    if (answer.isDone()
        && (config.ownership() == Ownership.HOLD || JobState.isHeldAfterLaunch(job))) {
      answer = run(List.of(SCONTROL, "release", id));
    }
    return answer.isDone() || hasStarted(id, start.attempt(), nodes)
        ? Optional.empty()
        : refusal(answer);
  }

  private boolean hasStarted(String id, int attempt, List<String> nodes) throws IOException {
    String job = show(id).orElse("");
    String state = first(STATE, job);
    return (state.equals("RUNNING") || state.equals("CONFIGURING") || state.equals("COMPLETING"))
        && first(RESTARTS, job).equals(Integer.toString(attempt))
        && HostList.names("NodeList", first(NODES, job)).stream()
            .sorted()
            .toList()
            .equals(nodes.stream().sorted().toList());
  }

  private Optional<String> stop(String id, Command.Stop stop) throws IOException {
    Optional<String> job = show(id);
    if (job.isEmpty()) {
      return Optional.of("Slurm does not know it");
    }
    Optional<String> other = other(id, job.get());
    if (other.isPresent()) {
      return other;
    }
    String state = first(STATE, job.get());
    boolean isLater = !first(RESTARTS, job.get()).equals(Integer.toString(stop.attempt()));
    if (state.equals("PENDING")) {
      return refusal(hold(id));
    }
    if (isLater) {
      return Optional.empty();
    }
    if (stop.grace().isPositive()) {
      return refusal(run(List.of("scancel", "--signal=TERM", "--batch", id)));
    }
    boolean isByHold = config.ownership() == Ownership.HOLD;
    Answer answer = run(List.of(SCONTROL, isByHold ? "requeuehold" : "requeue", id));
    return answer.isDone() && !isByHold ? refusal(hold(id)) : refusal(answer);
  }

  /** Gives a waiting job back to Slurm as its user submitted it; returns what became of it. */
  String release(ListedJob job, Instant now) throws IOException {
    String id = job.id();
    String start =
        JobState.begin(job)
            .filter(now::isBefore)
            .map(begin -> begin.toString().replace("Z", ""))
            .orElse("now");
    List<String> update =
        new ArrayList<>(
            List.of(
                SCONTROL,
                "update",
                "JobId=" + id,
                "ReqNodeList=" + HostList.fold(job.required()),
                "StartTime=" + start,
                "AdminComment=" + job.adminComment().ofOthers()));
    if (mayExplainIn(job.comment()) && !job.comment().isEmpty()) {
      update.add("Comment=");
    }
    Answer answer = run(update);
    if (answer.isDone()) {
      written.put(id, job.adminComment().ofOthers());
    }
    if (answer.isDone() && config.ownership() == Ownership.HOLD) {
      answer = run(List.of(SCONTROL, "release", id));
    }
    return "job " + id + (answer.isDone() ? " is Slurm's" : " is refused: " + answer.said());
  }

  private Answer hold(String id) throws IOException {
    return switch (config.ownership()) {
      case BEGIN_TIME -> run(List.of(SCONTROL, "update", "JobId=" + id, WAIT));
      case HOLD -> run(List.of(SCONTROL, "hold", id));
    };
  }

  private Optional<String> giveUp(String id, String text) throws IOException {
    Optional<String> refused = comment(id, text);
    return refused.isPresent() ? refused : refusal(run(List.of("scancel", id)));
  }

  /** Writes an explanation beside what others wrote, unless it is there. */
  private Optional<String> comment(String id, String text) throws IOException {
    Optional<String> job = show(id);
    if (job.isEmpty()) {
      return Optional.of("Slurm does not know it");
    }
    Optional<String> other = other(id, job.get());
    if (other.isPresent()) {
      return other;
    }
    List<String> update = new ArrayList<>(List.of(SCONTROL, "update", "JobId=" + id));
    String before = first(COMMENT, job.get()).strip();
    String comment = AdminComment.of(before).with(text);
    if (!comment.equals(before)) {
      update.add("AdminComment=" + comment);
    }
    String users = first(USERS_COMMENT, job.get()).strip();
    String explanation = AdminComment.of("").with(text);
    if (mayExplainIn(users) && !explanation.equals(users)) {
      update.add("Comment=" + explanation);
    }
    if (update.size() == UPDATE_WORDS) {
      return Optional.empty();
    }
    Answer answer = run(update);
    if (answer.isDone()) {
      written.put(id, comment);
    }
    return refusal(answer);
  }

  private Optional<String> other(String id, String shown) {
    return same.refusal(id, first(SUBMITTED, shown));
  }

  /** Returns true if a user's comment may be an explanation: there is none, or it is one. */
  private boolean mayExplainIn(String usersComment) {
    return config.explainsInComment() && AdminComment.of(usersComment).kept().isEmpty();
  }

  /** Returns what Slurm shows of a job; empty if it knows no such job. */
  Optional<String> show(String id) throws IOException {
    Answer answer = run(List.of(SCONTROL, "show", "job", id));
    if (answer.isDone()) {
      return Optional.of(answer.output());
    }
    if (answer.said().contains("Invalid job id")) {
      return Optional.empty();
    }
    throw new IOException("scontrol show job failed: " + answer.said());
  }

  private Answer run(List<String> command) throws IOException {
    return runner.run(command).answered(command.getFirst());
  }

  private static Optional<String> refusal(Answer answer) {
    return answer.isDone() ? Optional.empty() : Optional.of(answer.said());
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }
}
