package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cli.output.CommandFailedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks a running daemon why a job waits. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    description = "Tells why a job waits, and what would let it run. Asks the daemon.")
public final class SlurmWhyCommand implements Callable<Integer> {

  private static final int OK = 200;

  @Parameters(paramLabel = "JOB", description = "The job, as Slurm calls it: 4711, or 4711_3.")
  private String job = "";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = SlurmCommand.PORT,
      description = "Port of loopback on which the daemon answers (default: ${DEFAULT-VALUE}).")
  private int port;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    String path = URLEncoder.encode(job, StandardCharsets.UTF_8).replace("+", "%20");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/why/%s".formatted(port, path)))
            .timeout(Duration.ofSeconds(30))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != OK) {
        throw new CommandFailedException(answer.body().strip());
      }
      PrintWriter out = spec.commandLine().getOut();
      out.print(answer.body());
      out.flush();
      return 0;
    } catch (IOException e) {
      throw new CommandFailedException(
          "no daemon answers on port %d of loopback. Start one: liquid slurm --config FILE"
              .formatted(port));
    }
  }
}
