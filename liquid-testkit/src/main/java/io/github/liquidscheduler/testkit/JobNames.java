package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.job.JobId;
import java.util.List;

/**
 * The ids of submitted jobs: {@code j0}, {@code j2} and so on, with ids between them that a user
 * may choose as well: words that a scheduler may use itself, separators, formulas, and a long one.
 */
public final class JobNames {

  private static final List<String> CHOSEN =
      List.of(
          "held",
          "n0",
          "empty",
          "default",
          "null",
          "=1+1",
          "a,b;\"c'\\",
          "n0:0",
          "j/0",
          " j 0 ",
          "none",
          "j".repeat(400));

  private JobNames() {}

  /** Returns the id of the job of a number, from 0. */
  public static String of(int number) {
    return number % 2 == 1 && number / 2 < CHOSEN.size() ? CHOSEN.get(number / 2) : "j" + number;
  }

  /** Returns the number of a job from its id. */
  public static int number(JobId job) {
    int chosen = CHOSEN.indexOf(job.value());
    return chosen < 0 ? Integer.parseInt(job.value().substring(1)) : 2 * chosen + 1;
  }
}
