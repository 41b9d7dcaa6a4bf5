package io.github.liquidscheduler.estimator.task.prior;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelFamiliesTest {

  @ParameterizedTest
  @CsvSource({
    "meta-llama/Llama-2-7b-chat-hf, llama7b, 6.7384e9",
    "meta-llama/Llama-3.1-70B-Instruct, llama370b, 70.5537e9",
    "meta-llama/Meta-Llama-3-70B, llama370b, 70.5537e9",
    "meta-llama/Meta-Llama-3.1-8B-Instruct, llama38, 8.0303e9",
    "NousResearch/Nous-Hermes-Llama2-13b, llama13b, 13.0159e9",
    "mistralai/Mixtral-8x7B-Instruct-v0.1, mixtral8x7b, 46.7028e9",
    "Qwen/Qwen2.5-72B-Instruct, qwen272b, 72.7062e9",
    "bert-large-uncased, bertlarge, 335.1e6",
    "facebook/opt-1.3b, opt13, 1.3158e9",
    "facebook/opt-13b, opt67b, 13e9",
    "openai/whisper-large-v3, whisperlarge, 1.5433e9",
    "google/vit-large-patch16-224, vitl16, 304.3e6",
    "resnet50_v1.5, resnet50, 25.6e6",
    "somebody/newmodel-13B, llama7b, 13e9"
  })
  void theLongestPrefixAndTheStatedSizeFindAFamily(String name, String family, double parameters) {
    ModelFamily found = ModelFamilies.nearest(name, OptionalDouble.empty()).orElseThrow();

    assertThat(found.name()).isEqualTo(family);
    assertThat(found.parameters()).isEqualTo(parameters);
  }

  @Test
  void whatTheUserStatesBeatsTheTable() {
    ModelFamily found = ModelFamilies.nearest("llama7b", OptionalDouble.of(34e9)).orElseThrow();

    assertThat(found.parameters()).isBetween(32e9, 34e9);
  }

  @Test
  void aNameThatSaysNothingIsUnknown() {
    assertThat(ModelFamilies.nearest("secret", OptionalDouble.empty())).isEmpty();
    assertThat(ModelFamilies.nearest("transformerxl", OptionalDouble.empty())).isEmpty();
    assertThat(ModelFamilies.nearest("vitamin", OptionalDouble.empty())).isEmpty();
    assertThat(ModelFamilies.nearest("", OptionalDouble.empty())).isEmpty();
  }
}
