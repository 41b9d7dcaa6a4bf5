package io.github.liquidscheduler.simulator.trace;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts of the formats in which an example, such as {@code num_gpu=4}, is what one job or node
 * tells; an empty example leaves them as they are.
 */
final class FormatExamples {

  private static final String PHILLY_JOB =
      """
      {"jobid": "%s", "vc": "q", "user": "u", "status": "Pass",
       "submitted_time": "2017-10-07 01:00:00", "attempts": [
        {"start_time": "2017-10-07 02:00:00", "end_time": "2017-10-07 03:00:00",
         "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]},
        {"start_time": "2017-10-07 04:00:00", "end_time": "2017-10-07 05:00:00",
         "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]}]}
      """;

  private FormatExamples() {}

  static String gavel(String example) {
    return withoutHeader(
        '\t',
        "job_type=m;command=c;working_directory=w;num_steps_arg=-n;needs_data_dir=1;total_steps=10;"
            + "scale_factor=2;priority_weight=1;SLO=-1;arrival_time=5",
        example);
  }

  static String shockwave(String example) {
    return withoutHeader(
        '\t',
        "job_type=m;command=c;working_directory=w;num_steps_arg=-n;needs_data_dir=1;total_steps=10;"
            + "scale_factor=2;mode=static;priority_weight=1;SLO=-1;duration=60;arrival_time=5",
        example);
  }

  static String lingjun(String example) {
    return withHeader("ip=h;DSW=a;PSW=b;ASW=c", example);
  }

  static String openbNodes(String example) {
    return withHeader("sn=n;cpu_milli=8000;memory_mib=1024;gpu=1;model=A10", example);
  }

  static String phillyMachines(String example) {
    return withHeader("machineId=m;number of GPUs=8;single GPU mem=12GB", example);
  }

  /** Writes the three tables, and returns the first. */
  static Path alibaba2020(Path folder, String example) {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put(
        "pai_task_table",
        "job_name=b;task_name=worker;inst_num=2;status=Terminated;start_time=10;end_time=60;"
            + "plan_cpu=400;plan_mem=4;plan_gpu=50;gpu_type=MISC");
    tables.put(
        "pai_job_table", "job_name=b;inst_id=i;user=u;status=Terminated;start_time=5;end_time=60");
    tables.put("pai_group_tag_table", "inst_id=i;user=u;gpu_type_spec=MISC;group=g;workload=w");
    String table = example.startsWith("pai_") ? example.split(" ", 2)[0] : "pai_task_table";
    try {
      for (Map.Entry<String, String> each : tables.entrySet()) {
        String own = each.getKey().equals(table) ? example.replaceFirst("^pai_\\w+ ", "") : "";
        Files.writeString(
            folder.resolve(each.getKey() + ".csv"), withoutHeader(',', each.getValue(), own));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return folder.resolve("pai_task_table.csv");
  }

  /** An example is a member of a job, or of the first of its two attempts, or of the last. */
  static String phillyLog(String example) {
    String job = PHILLY_JOB.formatted("b").strip();
    boolean isLast = example.startsWith("last ");
    String member = isLast ? example.substring("last ".length()) : example;
    String name = member.split(":", 2)[0];
    Matcher old =
        Pattern.compile(name + ": (\"[^\"]*\"|\\[\"[^\\]]*\\]|\\[\\s*\\{.*\\])", Pattern.DOTALL)
            .matcher(job);
    boolean isFound = !name.isEmpty() && old.find() && (!isLast || old.find());
    String changed =
        isFound
            ? job.substring(0, old.start()) + member + job.substring(old.end())
            : member.isEmpty() ? job : "{" + member + "," + job.substring(1);
    return "[%s,\n%s]\n".formatted(PHILLY_JOB.formatted("a"), changed);
  }

  private static String withHeader(String cells, String example) {
    Map<String, String> first = cells(cells, "");
    Map<String, String> second = cells(cells, example);
    String firstRow =
        second.keySet().stream().map(name -> first.getOrDefault(name, "")).collect(joining(","));
    return String.join(",", second.keySet())
        + "\nfirst"
        + firstRow.substring(firstRow.indexOf(','))
        + "\n"
        + String.join(",", second.values())
        + "\n";
  }

  private static String withoutHeader(char delimiter, String cells, String example) {
    String text = withHeader(cells, example).replace(',', delimiter);
    return text.substring(text.indexOf('\n') + 1);
  }

  /** Returns cells by their columns, of which the example changes or adds one. */
  private static Map<String, String> cells(String cells, String example) {
    Map<String, String> byColumn = new LinkedHashMap<>();
    String all = example.isEmpty() ? cells : cells + ";" + example;
    for (String cell : all.split(";", -1)) {
      byColumn.put(cell.split("=", 2)[0], cell.split("=", 2)[1]);
    }
    return byColumn;
  }
}
